// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/measuring_settings.hpp>

#include <algorithm>

namespace perfspec {

double measuring_settings::sample_target_ns() const noexcept {
    constexpr double shortest_of_process_ns = 2e6;
    const double wanted = std::max(static_cast<double>(sample_time.count()), shortest_sample_ns());
    return asks_processes ? std::max(wanted, shortest_of_process_ns) : wanted;
}

double measuring_settings::longest_warm_call_ns() const noexcept {
    constexpr double longest_where_processes_take_turns_ns = 10e6;
    const double half_a_sample = sample_target_ns() / 2.0;
    return processes_take_turns ? std::max(half_a_sample, longest_where_processes_take_turns_ns) : half_a_sample;
}

double measuring_settings::shortest_sample_ns() const noexcept {
    return std::max(100.0 * metric_clock.cost_ns, 1000.0 * metric_clock.resolution_ns);
}

std::chrono::nanoseconds measuring_settings::hard_limit() const noexcept {
    return limit == budget_kind::hard ? budget : cap;
}

measuring_settings settings_for(const plan& p, const clock_facts& metric_clock) {
    measuring_settings s;
    s.iterations = p.iterations;
    s.budget = p.budget;
    s.limit = p.budget_given ? budget_kind::hard : budget_kind::stretches;
    s.cap = p.cap;
    s.metric_clock = metric_clock;
    return s;
}

}  // namespace perfspec
