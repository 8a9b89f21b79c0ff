// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/cost.hpp>
#include <perfspec/measure/launch_sample.hpp>
#include <perfspec/stats/growth.hpp>

#include <algorithm>
#include <cstdint>

namespace perfspec::detail {

unit_costs::unit_costs(const question& asked, const std::vector<double>& calls_ns) : asked_(asked) {
    for (const double call : calls_ns) {
        all_calls_ns_ += call;
        round_ns_ += sample_ns(call);
    }
}

double unit_costs::sample_ns(double call_ns) const {
    if (asked_.plan.iterations) return call_ns * *asked_.plan.iterations;
    if (needs_single_iterations(asked_.query) || reports_own_value(asked_.query.metric)) return call_ns;
    return std::max(call_ns, static_cast<double>(asked_.plan.sample_time.count()));
}

double unit_costs::budget_ns(double target, double each_ns) const {
    const auto given = static_cast<double>(asked_.plan.budget.count());
    if (asked_.plan.budget_given) return given;
    return std::max(given, std::min(static_cast<double>(asked_.plan.cap.count()), target * each_ns));
}

double unit_costs::calibration_ns() const {
    return 2.0 * all_calls_ns_ + std::min(3.0 * round_ns_, static_cast<double>(asked_.plan.warmup.count()) + round_ns_);
}

double unit_costs::samples_ns() const {
    constexpr launch_limits limits;
    const double samples = std::min(limits.samples * round_ns_, static_cast<double>(limits.at_most.count()));
    return calibration_ns() + std::max({samples, round_ns_, static_cast<double>(limits.at_least.count())});
}

double unit_costs::growth_block_ns() const { return samples_of_a_size * round_ns_; }

std::string from_to(std::size_t minimum, std::size_t maximum, const std::string& what) {
    return (minimum == maximum ? std::to_string(maximum) : std::to_string(minimum) + " to " + std::to_string(maximum)) + " " + what;
}

void set_cost(claim_cost& total, double min_ns, double max_ns, double budget_ns) {
    total.min_seconds = min_ns * 1e-9;
    total.max_seconds = std::max(min_ns, max_ns) * 1e-9;
    total.budget_seconds = budget_ns * 1e-9;
}

void estimate_cost_of_rounds(const question& asked, const unit_costs& unit, claim_cost& total, const round_range& range) {
    const double budget = unit.budget_ns(static_cast<double>(range.target), unit.round_ns());
    const std::size_t limit = asked.plan.rounds.value_or(range.max);
    const std::size_t minimum = std::min(range.min, limit);
    total.amount = from_to(minimum, limit, range.name);
    const double least = unit.calibration_ns() + static_cast<double>(minimum) * unit.round_ns();
    set_cost(total, std::min(least, budget), std::min(budget, unit.calibration_ns() + static_cast<double>(limit) * unit.round_ns()),
             budget);
}

void estimate_cost_of_launches(const unit_costs& unit, claim_cost& total, std::size_t minimum, std::size_t maximum,
                               const std::string& what) {
    total.amount = from_to(minimum, maximum, what);
    set_cost(total, static_cast<double>(minimum) * unit.launch_ns(), static_cast<double>(maximum) * unit.launch_ns());
}

}  // namespace perfspec::detail
