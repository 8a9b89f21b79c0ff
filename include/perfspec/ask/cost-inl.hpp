// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/cost.hpp>
#include <perfspec/measure/launch_sample.hpp>
#include <perfspec/stats/growth.hpp>

#include <algorithm>
#include <cstdint>

namespace perfspec::detail {

cost_estimate::cost_estimate(const question& asked, const std::vector<double>& calls_ns) : asked_(asked) {
    for (const double call : calls_ns) {
        all_calls_ns_ += call;
        round_ns_ += sample_ns(call);
    }
}

double cost_estimate::sample_ns(double call_ns) const {
    if (asked_.plan.iterations) return call_ns * *asked_.plan.iterations;
    if (needs_single_iterations(asked_.query) || is_told_by_body(asked_.query.metric)) return call_ns;
    return std::max(call_ns, static_cast<double>(asked_.plan.sample_time.count()));
}

double cost_estimate::budget_ns(double comfortable, double each_ns) const {
    const auto given = static_cast<double>(asked_.plan.budget.count());
    if (asked_.plan.budget_given) return given;
    return std::max(given, std::min(static_cast<double>(asked_.plan.cap.count()), comfortable * each_ns));
}

double cost_estimate::calibration_ns() const {
    return 2.0 * all_calls_ns_ + std::min(3.0 * round_ns_, static_cast<double>(asked_.plan.warmup.count()) + round_ns_);
}

double cost_estimate::samples_ns() const {
    constexpr launch_limits limits;
    const double samples = std::min(limits.samples * round_ns_, static_cast<double>(limits.at_most.count()));
    return calibration_ns() + std::max({samples, round_ns_, static_cast<double>(limits.at_least.count())});
}

double cost_estimate::growth_block_ns() const { return samples_of_a_size * round_ns_; }

std::string from_to(std::size_t least, std::size_t most, const std::string& what) {
    return (least == most ? std::to_string(most) : std::to_string(least) + " to " + std::to_string(most)) + " " + what;
}

void set_cost(forecast& f, double least_ns, double most_ns, double budget_ns) {
    f.least_seconds = least_ns * 1e-9;
    f.most_seconds = std::max(least_ns, most_ns) * 1e-9;
    f.budget_seconds = budget_ns * 1e-9;
}

void foresee_rounds(const question& asked, const cost_estimate& cost, forecast& f, const round_range& range) {
    const double budget = cost.budget_ns(static_cast<double>(range.comfortable), cost.round_ns());
    const std::size_t limit = asked.plan.rounds.value_or(range.most);
    const std::size_t fewest = std::min(range.fewest, limit);
    f.amount = from_to(fewest, limit, range.name);
    const double least = cost.calibration_ns() + static_cast<double>(fewest) * cost.round_ns();
    set_cost(f, std::min(least, budget), std::min(budget, cost.calibration_ns() + static_cast<double>(limit) * cost.round_ns()), budget);
}

void foresee_launches(const cost_estimate& cost, forecast& f, std::size_t least, std::size_t most, const std::string& what) {
    f.amount = from_to(least, most, what);
    set_cost(f, static_cast<double>(least) * cost.launch_ns(), static_cast<double>(most) * cost.launch_ns());
}

}  // namespace perfspec::detail
