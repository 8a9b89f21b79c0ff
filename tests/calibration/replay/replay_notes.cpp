// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include "replay_notes.hpp"

#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace perfspec::testing {
namespace {

std::size_t length_between(std::size_t minimum, std::size_t maximum, dice& random) {
    return minimum + random.below(std::max(maximum, minimum) - minimum + 1);
}

stage_result outcome_of(bool is_noted, std::size_t units, std::span<const double> times) {
    double spent_ns = 0;
    for (const double t : times) spent_ns += t;
    return {is_noted ? decision::violated : decision::holds, units, spent_ns * 1e-6};
}

stage_result look_for_trend(std::span<const double> slots, const replay_request& request, dice& random) {
    constexpr std::size_t minimum = 8;
    const std::size_t length = std::min(length_between(minimum, request.budget_pairs, random), slots.size());
    std::vector<double> times(slots.begin(), slots.begin() + static_cast<std::ptrdiff_t>(length));
    for (std::size_t i = 0; i < length; ++i)
        times[i] *= std::pow(request.inject, static_cast<double>(i) / static_cast<double>(length - 1));
    return outcome_of(find_trend(times, request.bound).has_value(), length, times);
}

}  // namespace

std::vector<run_result> replay_trend(const slot_source& slots, const replay_request& request) {
    return judge_runs(request.replays, stages::one, [&](std::size_t run, std::size_t nth) {
        dice random = dice_of_process(request.seed, run);
        return look_for_trend(slots(run, nth, random), request, random);
    });
}

}  // namespace perfspec::testing
