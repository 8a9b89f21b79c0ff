// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/minimum_evidence.hpp>
#include <perfspec/judge/procedure.hpp>
#include <perfspec/judge/processes/fresh_process.hpp>
#include <perfspec/judge/readings.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/quantity/format.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace perfspec::detail {

void require_rounds(const claim_context& context, std::size_t minimum, const char* what) {
    if (!context.plan.rounds || *context.plan.rounds >= minimum) return;
    throw input_error(fmt::format(
        "rounds({}) cannot show that this claim is violated: at a false-failure rate of {} that takes {} {} at least; "
        "write rounds({}) or more, or leave it out",
        *context.plan.rounds, context.plan.false_failure, minimum, what, minimum));
}

round_limits limits_of_rounds(const claim_context& context, std::size_t usual, const char* what) {
    round_limits limits{with_rates({}, context.plan), 0};
    limits.settings.confirm = can_be_repeated(context) ? stages::two : stages::one;
    if (context.plan.rounds)
        limits.settings.first_look = std::min<std::size_t>(limits.settings.first_look, *context.plan.rounds);
    limits.min_size = min_size_to_violate(limits.settings);
    require_rounds(context, limits.min_size, what);
    limits.settings.max_size = context.plan.rounds.value_or(std::max(usual, limits.min_size));
    return limits;
}

round_limits limits_of_launches(const claim_context& context) {
    round_limits limits{with_rates(sequential_settings::for_launch_centres(), context.plan), 0};
    sequential_settings& s = limits.settings;
    limits.min_size = min_size_to_violate(s);
    s.max_size = std::max(s.max_size, limits.min_size);
    s.first_look = std::clamp<std::size_t>(context.plan.launches.value_or(0), s.first_look, s.max_size);
    limits.min_size = std::max(limits.min_size, s.first_look);
    return limits;
}

inline void require_launches_fit(std::size_t minimum, double one, double longest) {
    const double needed = one * static_cast<double>(minimum);
    if (needed <= longest) return;
    constexpr double reserve = 1.2;
    const double cap = std::ceil(reserve * needed);
    throw measurement_failure(
        failure_kind::too_slow,
        fmt::format(
            "too slow for the cap of {}: this claim needs at least {} launches to be found violated, about {}; allow cap({:.0f}s) at "
            "the claim or --perf-cap={:.0f}s, or do less work in a launch",
            format_seconds(longest * 1e9), minimum, format_seconds(needed * 1e9), cap, cap));
}

bool allows_another_launch(const claim_context& context, claim_result& result, std::size_t taken, std::size_t minimum) {
    constexpr std::size_t to_tell = 2;  // the first launch reads files from the disk that later ones find in memory
    if (taken == 0) return true;
    const double longest = std::chrono::duration<double>(std::max(context.plan.cap, context.plan.budget)).count();
    const double one = result.evidence.seconds / static_cast<double>(taken);
    if (taken == 1 && one > longest) require_launches_fit(minimum, one, longest);
    if (taken == to_tell) require_launches_fit(minimum, one, longest);
    if (taken < minimum || result.evidence.seconds + one <= longest) return true;
    result.evidence.budget_seconds = longest;
    return false;
}

}  // namespace perfspec::detail
