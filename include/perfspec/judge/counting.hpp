// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/question.hpp>
#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/measure/counters/device_events.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace perfspec::detail {

/// Counts the query's events for the lifetime of this object; does nothing where the query is a time.
class counting_scope {
public:
    explicit counting_scope(const question& asked);

    /// Why the events cannot be counted, and what to do; empty where they can.
    [[nodiscard]] std::string fault() const { return counting_ ? counting_->fault() : fault_of_module_; }

private:
    std::optional<counting> counting_;
    std::string fault_of_module_;
};

/// The runs of a subject.
[[nodiscard]] counted_runs count_runs(const question& asked, finding& found, const subject& x);
[[nodiscard]] sample_summary summary_of_runs(const question& asked, const std::string& name, const counted_runs& runs);

/// Whether two numbers in an exact comparison are the same, except for the last bits of a product.
/// For example, 1.1 x 50 is 55, and 15 % above 100 is 115, but doubles miss some of these.
/// Whole numbers are the same only where they are equal.
[[nodiscard]] bool is_same_number(double a, double b);

/// How many fresh processes have to agree before what a module counts is compared exactly: so many that a body which
/// takes one of two ways by chance in each process is mistaken for one that repeats at most at the rate `false_pass`,
/// and three at least. Five at the default rate, 1/2^5 < 5 %.
[[nodiscard]] std::size_t processes_that_agree(const plan& p);

/// Whether all values are the same.
[[nodiscard]] bool do_agree(const std::vector<double>& values);

/// Throws input_error for a bound below 0, and for one that is not finite: every count or value of a metric
/// would be on the same side of it.
void require_bound_of_counts(const question& asked, double bound);

/// Whether a repeatable value is on the claimed side of the bound. The same number as the bound counts where the
/// comparison includes it.
[[nodiscard]] bool satisfies(comparison compared, double value, double bound);
/// Describes an exact value: no interval and no margin.
void describe_exact(const question& asked, finding& found, double value, double bound);
/// The bound in the words of another query: "0.5 x 12 of allocations(a)".
[[nodiscard]] std::string counted_bound_text(const question& asked, double other);
/// Judges a value on which all readings agree, without a margin: with `<`, a value equal to the bound violates the
/// claim.
void compare_agreed(const question& asked, finding& found, double value, double bound);

}  // namespace perfspec::detail
