// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// What only a fresh process shows, such as the peak of memory: one subject a process, one value a launch, and the values into the sequential test
// (stats/README.md, "Fresh values"). Every launch is fresh, so that a violated claim needs no further confirmation.

#include <perfspec/measure/coin.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/run/judge_launches-inl.hpp>
#include <perfspec/run/least_evidence.hpp>
#include <perfspec/run/measuring.hpp>
#include <perfspec/run/sharing.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace perfspec::detail {

/// The values of both sides, or of the only one, in the order taken.
struct fresh_values {
    std::array<std::vector<double>, 2> sides;

    [[nodiscard]] double log_value(std::size_t i) const { return log_of(sides[0][i]) - (sides[1].empty() ? 0.0 : log_of(sides[1][i])); }
};

/// Whether the claim is on two subjects: of two queries, or of a ratio.
inline bool has_two_sides(const evaluation& e) { return e.query().ratio || e.tree().bound == bound_kind::query; }

inline bool take_fresh_value(evaluation& e, fresh_values& values, std::size_t side) {
    e.side = side;
    const auto launch = take_launch_at(e, values.sides[side].size());
    e.side = 0;
    if (launch) values.sides[side].push_back(launch->value);
    return launch.has_value();
}

/// One launch, or one of each side in an order drawn by the coin. False, with the verdict invalid, where it could not be measured.
inline bool take_fresh_values(evaluation& e, fresh_values& values, coin& order) {
    if (!has_two_sides(e)) return take_fresh_value(e, values, 0);
    const std::size_t first = order.toss() ? 1 : 0;
    return take_fresh_value(e, values, first) && take_fresh_value(e, values, 1 - first);
}

inline void describe_fresh(evaluation& e, const fresh_values& values) {
    std::vector<double> logs;
    for (std::size_t i = 0; i < values.sides[0].size(); ++i) logs.push_back(values.log_value(i));
    const centre_interval interval = interval_of_launches(e, logs);
    e.out.measured =
        estimate{std::exp(interval.centre), std::exp(median(logs)), std::exp(interval.low), std::exp(interval.high), interval.level};
    e.out.subjects.clear();
    for (std::size_t side = 0; side < 2 && !values.sides[side].empty(); ++side) {
        e.out.subjects.push_back(summary_of(e.names[side], values.sides[side], 1));
        e.out.subjects.back().unit = unit_of_samples(e);
    }
}

/// The parts that each of the claim's launches told of, each with its median over them; none of a claim on two subjects, where they would mix.
inline void describe_parts(evaluation& e, std::size_t taken) {
    const std::vector<launch_result>& all = launches_of(e).launches;
    const std::span launches(all.data(), std::min(taken, all.size()));
    if (has_two_sides(e) || launches.empty()) return;
    std::map<std::string, std::vector<part_value>> by_name;
    for (const launch_result& launch : launches)
        for (const part_value& p : launch.parts) by_name[p.part].push_back(p);
    for (const part_value& first : launches.front().parts) {
        std::vector<double> times, shares;
        for (const part_value& p : by_name[first.part]) {
            times.push_back(p.value.centre);
            shares.push_back(p.share);
        }
        const auto [low, high] = std::ranges::minmax(times);
        const double middle = median(times);
        e.out.parts.push_back({first.part, first.method, first.unit, {middle, middle, low, high, 0.0}, median(shares), {}});
    }
}

/// Without a bound: the median of a few launches and their extremes.
inline void measure_fresh(evaluation& e, coin& order) {
    fresh_values values;
    while (values.sides[0].size() < launches_to_measure(e.plan))
        if (!take_fresh_values(e, values, order)) return;
    describe_fresh(e, values);
    std::vector<double> measured = values.sides[0];
    for (std::size_t i = 0; i < values.sides[1].size(); ++i) measured[i] = std::exp(values.log_value(i));
    const auto [low, high] = std::ranges::minmax(measured);
    const double middle = median(measured);
    e.out.measured = estimate{middle, middle, low, high, 0.0};
    describe_parts(e, values.sides[0].size());
    e.out.evidence.method = "median of fresh launches, and their extremes";
    set_verdict(e, verdict::holds);
}

inline void announce_launches(const evaluation& e, std::size_t taken, std::size_t most) {
    if (taken == 1) announce_cost(e, e.out.evidence.seconds * static_cast<double>(most));
}

void judge_fresh(evaluation& e) {
    const bool against_query = e.tree().bound == bound_kind::query;
    if (against_query) static_cast<void>(ratio_of(e));  // throws for two that cannot be compared
    const std::uint64_t seed = e.plan.seed.value_or(e.context.around().draw_seed());
    if (has_two_sides(e)) e.out.evidence.seed = seed;  // it draws which process starts first
    coin order(seed);
    if (e.tree().bound == bound_kind::none) return measure_fresh(e, order);
    const double bound = against_query ? e.tree().factor : e.tree().value;
    e.out.bound = bound;
    if (!(bound > 0.0) || !std::isfinite(bound))
        return set_verdict(e, verdict::invalid, "the bound is " + format_value(bound, e.out.unit) + ", and has to be more than nothing");
    const auto [settings, fewest] = limits_of_launches(e);
    sequential test(settings);
    const std::size_t most = settings.most;
    e.out.evidence.approximate = !has_two_sides(e);
    e.out.evidence.method = "values of fresh launches, " + std::string(sequential::method);
    fresh_values values;
    while (test.decided() == decision::none && !test.exhausted() && allows_another_launch(e, test, fewest)) {
        if (!take_fresh_values(e, values, order)) return;
        announce_launches(e, values.sides[0].size(), most);
        test.add(sign_of(e.tree().compared) * (values.log_value(test.size()) - std::log(bound)));
    }
    describe_fresh(e, values);
    describe_parts(e, values.sides[0].size());
    conclude(e, test.progress(), {"launches", e.out.evidence.seconds / static_cast<double>(test.size()), most, most});
}

}  // namespace perfspec::detail
