// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include "replay_notes.hpp"

#include <perfspec/judge/observe.hpp>
#include <perfspec/stats/order_effect.hpp>
#include <perfspec/stats/trend.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace perfspec::testing {
namespace {

std::size_t length_between(std::size_t minimum, std::size_t maximum, dice& random) {
    return minimum + random.below(std::max(maximum, minimum) - minimum + 1);
}

sample sample_of(double ns) { return {std::llround(ns), 1}; }

stage_result outcome_of(bool is_noted, std::size_t units, std::span<const double> times) {
    double spent_ns = 0;
    for (const double t : times) spent_ns += t;
    return {is_noted ? decision::violated : decision::holds, units, spent_ns * 1e-6};
}

stage_result look_for_trend(std::span<const double> slots, const replay_request& request, dice& random) {
    constexpr std::size_t minimum = 8;
    const std::size_t length = std::min(length_between(minimum, request.budget_pairs, random), slots.size());
    std::vector<double> times(slots.begin(), slots.begin() + static_cast<std::ptrdiff_t>(length));
    for (std::size_t i = 0; i < length; ++i) times[i] *= std::pow(request.inject, static_cast<double>(i) / static_cast<double>(length - 1));
    return outcome_of(find_trend(times, request.bound).has_value(), length, times);
}

using perfspec::pair_order;

/// Pairs whose subjects take the slots one after the other.
std::vector<timed_pair> pairs_of(std::span<const double> slots, std::size_t count, const replay_request& request, dice& random) {
    pair_turns turns(request.order, random);
    std::vector<timed_pair> pairs;
    bool b_was_last = false;
    for (std::size_t i = 0; i < count; ++i) {
        const bool b_first = turns.b_first();
        const double a = slots[2 * i + (b_first ? 1 : 0)] * (b_first || b_was_last ? request.inject : 1);
        const double b = slots[2 * i + (b_first ? 0 : 1)];
        pairs.push_back({sample_of(a), sample_of(b), b_first ? pair_order::b_first : pair_order::a_first});
        b_was_last = !b_first;
    }
    return pairs;
}

stage_result look_for_order(std::span<const double> slots, const replay_request& request, dice& random) {
    constexpr std::size_t minimum = 10;
    const std::size_t count = std::min(length_between(minimum, request.budget_pairs, random), slots.size() / 2);
    const auto pairs = pairs_of(slots, count, request, random);
    const auto times = detail::times_by_predecessor(pairs, &timed_pair::a, pair_order::a_first);
    return outcome_of(find_order_effect(times.after_own, times.after_other).has_value(), count, slots.first(2 * count));
}

template <class Look> std::vector<run_result> look(const slot_source& slots, const replay_request& request, const Look& at) {
    return judge_runs(request.replays, stages::one, [&](std::size_t run, std::size_t nth) {
        dice random = dice_of_process(request.seed, run);
        return at(slots(run, nth, random), request, random);
    });
}

}  // namespace

std::vector<run_result> replay_trend(const slot_source& slots, const replay_request& request) {
    return look(slots, request, look_for_trend);
}

std::vector<run_result> replay_order(const slot_source& slots, const replay_request& request) {
    return look(slots, request, look_for_order);
}

}  // namespace perfspec::testing
