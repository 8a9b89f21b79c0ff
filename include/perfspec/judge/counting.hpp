// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/question.hpp>
#include <perfspec/measure/counters/counter.hpp>

#include <optional>
#include <string>

namespace perfspec::detail {

/// Of a device on which nothing seems to run.
inline constexpr const char* no_kernels_seen =
    "the profiler saw no kernel on the device: this LibTorch is built without the device's profiler (CUPTI), another one uses it, or the body "
    "starts none";

/// While it lives, what the query counts is counted; nothing where it is a time.
class counting_scope {
public:
    explicit counting_scope(const question& asked);

    /// Why it cannot be counted, with what to do; empty where it is.
    [[nodiscard]] std::string fault() const { return counting_ ? counting_->fault() : std::string{}; }

private:
    std::optional<counting> counting_;
};

/// The runs of a subject, shared by the claims of a test case.
[[nodiscard]] counted_runs count_runs(const question& asked, finding& found, const subject& x);
[[nodiscard]] sample_summary summary_of_runs(const question& asked, const std::string& name, const counted_runs& runs);

/// Whether two numbers that are compared exactly are the same but for the last bits of a product: 1.1 x 50 is 55, and 15 % above 100 is 115, of which
/// doubles miss some. Whole numbers are the same only where they are equal.
[[nodiscard]] bool is_same_number(double a, double b);

/// Throws input_error for a bound that is below 0, or is not finite: no count and no value of a metric can be beyond it.
void require_bound_of_counts(const question& asked, double bound);

/// Whether a value that repeats is on the claimed side of the bound, or is the same number as a bound that belongs to it.
[[nodiscard]] bool satisfies(comparison compared, double value, double bound);
/// A value without an error, and no margin.
void describe_exact(const question& asked, finding& found, double value, double bound);
/// "0.5 x 12 of allocations(a)": the bound that another query is.
[[nodiscard]] std::string counted_bound_text(const question& asked, double other);
/// Judges what all readings agree on, without a margin: a bound that it is equal to is not kept by `<`.
void compare_agreed(const question& asked, finding& found, double value, double bound);

}  // namespace perfspec::detail
