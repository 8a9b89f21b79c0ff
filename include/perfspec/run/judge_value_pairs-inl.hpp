// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Claims on what two bodies tell themselves: pairs of values in random order, into the sequential test (stats/README.md, "Pairs of values").

#include <perfspec/measure/coin.hpp>
#include <perfspec/run/counting.hpp>
#include <perfspec/run/judge_pairs-inl.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {

/// A value of each side.
struct told_pair {
    double own;
    double other;

    [[nodiscard]] double log_ratio() const { return log_of_value(own) - log_of_value(other); }
};

inline told_pair take_told_pair(const time_ratio& r, sample_kind what, coin& order) {
    told_pair pair{};
    const bool other_first = order.toss();
    if (other_first) pair.other = take_told(r.denominator, what);
    pair.own = take_told(r.numerator, what);
    if (!other_first) pair.other = take_told(r.denominator, what);
    return pair;
}

inline void describe_told_pairs(evaluation& e, const std::vector<told_pair>& pairs) {
    std::vector<double> logs;
    std::vector<double> values[2];
    for (const told_pair& p : pairs) {
        logs.push_back(p.log_ratio());
        values[0].push_back(p.own);
        values[1].push_back(p.other);
    }
    const centre_interval interval = evidence_interval(logs);
    e.out.measured =
        estimate{std::exp(interval.centre), std::exp(median(logs)), std::exp(interval.low), std::exp(interval.high), interval.level};
    e.out.subjects = {summary_of(e.names[0], std::move(values[0]), 1), summary_of(e.names[1], std::move(values[1]), 1)};
    for (sample_summary& s : e.out.subjects) s.unit = unit_of_samples(e);
    e.out.evidence.rounds = pairs.size();
}

/// Whether every pair has the values of the first one.
inline bool agree(const std::vector<told_pair>& pairs) {
    return std::ranges::all_of(pairs, [&](const told_pair& p) { return p.own == pairs.front().own && p.other == pairs.front().other; });
}

/// Values without noise: the one against the other's times the claim's factor, or their ratio against the bound.
inline void compare_agreed_pair(evaluation& e, const told_pair& values) {
    if (e.query().ratio) return compare_agreed(e, values.own / values.other, *e.out.bound);
    compare_agreed(e, values.own, e.tree().factor * values.other);
    e.out.bound_text = counted_bound_text(e, values.other);
}

/// Pairs until the test decides, the time is over, or metrics of the user's have agreed for as long as a first look takes.
inline std::vector<told_pair> take_told_pairs(evaluation& e, const time_ratio& r, const pair_calibration& c, sequential& test,
                                              std::size_t fewest) {
    clock& wall = e.context.around().wall;
    coin order(e.out.evidence.seed);
    std::vector<told_pair> pairs;
    const bool may_agree = e.query().measured == metric_kind::own;
    const auto is_settled = [&] { return may_agree && pairs.size() >= test.settings().first_look && agree(pairs); };
    const auto has_time = [&] { return pairs.size() < fewest || !c.time.spent(wall.now()); };
    while (test.decided() == decision::none && !test.exhausted() && has_time() && !is_settled()) {
        pairs.push_back(take_told_pair(r, settings_of(e, r.measured).samples, order));
        test.add(sign_of(e.tree().compared) * (pairs.back().log_ratio() - std::log(*e.out.bound)));
    }
    return pairs;
}

void judge_value_pairs(evaluation& e) {
    const time_ratio r = ratio_of(e);
    const double bound = e.tree().bound == bound_kind::query ? e.tree().factor : e.tree().value;
    e.out.bound = bound;
    if (!is_usable_ratio_bound(e, bound)) return;
    const auto [limits, fewest] = limits_of_rounds(e, sequential_settings::for_pairs().most, "pairs");
    sequential test(limits);
    e.out.evidence.method = "pairs of values in random order, " + std::string(sequential::method);
    e.out.evidence.seed = e.is_child() ? e.context.child()->seed : e.plan.seed.value_or(e.context.around().draw_seed());
    double pair_seconds = 0.0;
    std::vector<told_pair> pairs;
    {
        const measuring_scope measuring(e);
        measuring_settings settings = settings_of(e, r.measured);
        settings.fewest_rounds = static_cast<std::uint32_t>(fewest);
        const pair_calibration c = calibrate_pair(r.numerator, r.denominator, settings, clocks_for(e, r.measured));
        pairs = take_told_pairs(e, r, c, test, fewest);
        describe_told_pairs(e, pairs);
        e.out.evidence.seconds = static_cast<double>(e.context.around().wall.now() - c.time.started_ns) * 1e-9;
        e.out.evidence.budget_seconds = static_cast<double>(c.time.budget_ns) * 1e-9;
        pair_seconds = c.pair_ns * 1e-9;
    }
    if (e.query().measured == metric_kind::own && agree(pairs)) return compare_agreed_pair(e, pairs.front());
    conclude(e, test.progress(), {"pairs", pair_seconds, limits.most, sensible_pairs});
}

}  // namespace perfspec::detail
