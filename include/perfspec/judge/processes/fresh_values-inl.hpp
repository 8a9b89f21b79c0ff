// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Judges metrics that only a fresh process shows, such as the peak of memory. Each process measures one subject, and
// each launch gives one value. The values go into the sequential test (stats/README.md, "Fresh values"). Every launch
// is fresh, so a violated claim needs no confirmation.

#include <perfspec/judge/minimum_evidence.hpp>
#include <perfspec/judge/procedure.hpp>
#include <perfspec/judge/processes/launch_centres-inl.hpp>
#include <perfspec/judge/processes/take_launches.hpp>
#include <perfspec/judge/progress.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace perfspec::detail {

/// The values of both sides, or of the only one, in the order of measurement.
struct fresh_values {
    std::array<std::vector<double>, 2> sides;

    [[nodiscard]] double log_value(std::size_t i) const {
        return log_of(sides[0][i]) - (sides[1].empty() ? 0.0 : log_of(sides[1][i]));
    }
};

inline void take_fresh_value(const claim_context& context, claim_result& result, fresh_values& values,
                             compared_side of) {
    claim_context one = context;
    one.side = of;
    std::vector<double>& taken = values.sides[static_cast<std::size_t>(of)];
    taken.push_back(take_launch_at(one, result, taken.size()).value);
}

/// Takes one launch, or one of each side in an order drawn by a coin. Throws measurement_failure where one cannot be
/// measured.
inline void take_fresh_values(const claim_context& context, claim_result& result, fresh_values& values,
                              random_order& order) {
    if (!context.is_relative()) return take_fresh_value(context, result, values, compared_side::first);
    const bool second_first = order.next();
    if (second_first) take_fresh_value(context, result, values, compared_side::second);
    take_fresh_value(context, result, values, compared_side::first);
    if (!second_first) take_fresh_value(context, result, values, compared_side::second);
}

inline void describe_fresh(const claim_context& context, claim_result& result, const fresh_values& values) {
    std::vector<double> logs;
    for (std::size_t i = 0; i < values.sides[0].size(); ++i) logs.push_back(values.log_value(i));
    result.estimate = estimate_of_launches(result, logs);
    result.subjects.clear();
    for (std::size_t side = 0; side < 2 && !values.sides[side].empty(); ++side)
        result.subjects.push_back(summary_of(context.names[side], values.sides[side], 1, unit_of_samples(context)));
}

/// Describes the parts that the claim's launches reported, each by its median over the launches. Describes none for a
/// claim on two subjects: their parts would mix.
inline void describe_parts(const claim_context& context, claim_result& result, std::size_t taken) {
    const std::vector<launch_result>& all = launches_of(context).launches;
    const std::span launches(all.data(), std::min(taken, all.size()));
    if (context.is_relative() || launches.empty()) return;
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
        result.parts.push_back(
            {first.part, first.method, first.unit, {middle, middle, low, high, 0.0}, median(shares), {}});
    }
}

/// Measures a query without a bound: the median of a few launches, and their extremes.
inline void measure_fresh(const claim_context& context, claim_result& result, random_order& order) {
    fresh_values values;
    const std::size_t wanted = launches_to_measure(context.plan);
    while (values.sides[0].size() < wanted) {
        take_fresh_values(context, result, values, order);
        show_progress(context, {.done = values.sides[0].size(),
                                .most = wanted,
                                .seconds = result.evidence.seconds,
                                .may_end_sooner = false});
    }
    describe_fresh(context, result, values);
    std::vector<double> measured = values.sides[0];
    for (std::size_t i = 0; i < values.sides[1].size(); ++i) measured[i] = std::exp(values.log_value(i));
    const auto [low, high] = std::ranges::minmax(measured);
    const double middle = median(measured);
    result.estimate = estimate{middle, middle, low, high, 0.0};
    describe_parts(context, result, values.sides[0].size());
    result.evidence.method = "median of fresh launches, and their extremes";
    set_verdict(result, verdict::holds);
}

void judge_fresh(const claim_context& context, claim_result& result) {
    const std::uint64_t seed = seed_of(context);
    if (context.is_relative()) result.evidence.seed = seed;  // the seed decides which process starts first
    random_order order(seed);
    if (!context.is_bounded()) return measure_fresh(context, result, order);
    const double bound = context.ratio_bound();
    result.bound = bound;
    const auto [settings, minimum] = limits_of_launches(context);
    sequential test(settings);
    const std::size_t maximum = settings.max_size;
    result.evidence.approximate = !context.is_relative();
    result.evidence.method = "values of fresh launches, " + std::string(sequential::method);
    fresh_values values;
    drive(test, [&, at_least = minimum](std::size_t taken) -> std::optional<double> {
        if (!allows_another_launch(context, result, taken, at_least)) return {};
        take_fresh_values(context, result, values, order);
        show_progress(context, {.done = taken + 1,
                                .most = maximum,
                                .seconds = result.evidence.seconds,
                                .is_capped = true,
                                .test = test.progress()});
        return context.sign() * (values.log_value(taken) - std::log(bound));
    });
    describe_fresh(context, result, values);
    describe_parts(context, result, values.sides[0].size());
    conclude(context, result, test.progress(),
             {"launches", result.evidence.seconds / static_cast<double>(test.size()), maximum, maximum});
}

const procedure values_of_fresh_processes{
    "values of fresh launches",
    [](const claim_context& context) {
        const bool by_module = context.query.metric == metric_kind::module_count && context.is_bounded();
        return needs_fresh_process(context.query.metric) && !context.is_against_baseline() && !by_module;
    },
    judge_fresh};

}  // namespace perfspec::detail
