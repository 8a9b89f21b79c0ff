// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/question.hpp>
#include <perfspec/report/finding.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace perfspec::detail {

/// What answering a question would cost, by one call of each of its bodies; nanoseconds.
class unit_costs {
public:
    /// calls_ns  the wall time of a call, by subject
    unit_costs(const question& asked, const std::vector<double>& calls_ns);

    [[nodiscard]] double all_calls_ns() const noexcept { return all_calls_ns_; }
    /// One sample of every subject.
    [[nodiscard]] double round_ns() const noexcept { return round_ns_; }
    /// The budget, where so many rounds of this length are the target.
    [[nodiscard]] double budget_ns(double target, double each_ns) const;
    /// A few calls, and the warm-up that follows them.
    [[nodiscard]] double calibration_ns() const;
    /// As many samples as a launch takes of a time, calibrated.
    [[nodiscard]] double samples_ns() const;
    /// Every size as often as a slope takes it.
    [[nodiscard]] double growth_block_ns() const;
    /// What one process measures that takes a launch of the query.
    [[nodiscard]] double launch_ns() const;

private:
    [[nodiscard]] double sample_ns(double call_ns) const;

    const question& asked_;
    double all_calls_ns_{};
    double round_ns_{};
};

/// How many of something a claim takes.
struct round_range {
    std::size_t min;
    std::size_t target;
    std::size_t max;
    const char* name;  ///< "pairs"
};

/// "10 to 2000 pairs".
[[nodiscard]] std::string from_to(std::size_t minimum, std::size_t maximum, const std::string& what);

/// Sets the range, and the budget that it lies in, nanoseconds.
void set_cost(claim_cost& total, double min_ns, double max_ns, double budget_ns = 0.0);

/// Of what is judged by rounds of samples in this process.
void estimate_cost_of_rounds(const question& asked, const unit_costs& unit, claim_cost& total, const round_range& range);

/// Of what takes so many fresh processes.
void estimate_cost_of_launches(const unit_costs& unit, claim_cost& total, std::size_t minimum, std::size_t maximum,
                               const std::string& what = "fresh launches");

}  // namespace perfspec::detail
