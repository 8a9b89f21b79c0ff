// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/question.hpp>
#include <perfspec/report/finding.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace perfspec::detail {

/// The cost of answering a question, estimated from one call of each of its bodies; in nanoseconds.
class unit_costs {
public:
    /// `calls_ns`: the wall time of one call, for each subject.
    unit_costs(const question& asked, const std::vector<double>& calls_ns);

    [[nodiscard]] double all_calls_ns() const noexcept { return all_calls_ns_; }
    /// One sample of every subject.
    [[nodiscard]] double round_ns() const noexcept { return round_ns_; }
    /// The budget for `target` rounds of this length.
    [[nodiscard]] double budget_ns(double target, double each_ns) const;
    /// A few calls, and the warm-up that follows them.
    [[nodiscard]] double calibration_ns() const;
    /// The samples of a time that one launch takes, with their calibration.
    [[nodiscard]] double samples_ns() const;
    /// All samples that one slope takes, of every size.
    [[nodiscard]] double growth_block_ns() const;
    /// What one launch of the query measures.
    [[nodiscard]] double launch_ns() const;

private:
    [[nodiscard]] double sample_ns(double call_ns) const;

    const question& asked_;
    double all_calls_ns_{};
    double round_ns_{};
};

/// The numbers of rounds that a claim takes.
struct round_range {
    std::size_t min;
    std::size_t target;
    std::size_t max;
    const char* name;  ///< "pairs"
};

/// "10 to 2000 pairs".
[[nodiscard]] std::string from_to(std::size_t minimum, std::size_t maximum, const std::string& what);

/// Sets the range of the cost and the budget that limits it; all in nanoseconds.
void set_cost(claim_cost& total, double min_ns, double max_ns, double budget_ns = 0.0);

/// The cost of a claim that is judged on rounds of samples in this process.
void estimate_cost_of_rounds(const question& asked, const unit_costs& unit, claim_cost& total, const round_range& range);

/// The cost of a claim that takes this many fresh processes.
void estimate_cost_of_launches(const unit_costs& unit, claim_cost& total, std::size_t minimum, std::size_t maximum,
                               const std::string& what = "fresh launches");

}  // namespace perfspec::detail
