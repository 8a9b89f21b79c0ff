// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Claims on the percentiles of two subjects: pairs of single iterations in random order. The test compares their tails
// (stats/README.md, "Percentile pairs").

#include <perfspec/judge/procedure.hpp>
#include <perfspec/judge/procedures/pairs-inl.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/percentile.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {

void require_percentile_options(const claim_context& context) {
    const std::string what = "a percentile is of single iterations";
    if (reports_own_value(context.query.metric))
        throw input_error(what + " of latency(x) or cpu_time(x), not of " +
                          std::string(traits_of(context.query.metric).word) + "(x)");
    if (context.plan.iterations.value_or(1) != 1)
        throw input_error("iterations(" + std::to_string(*context.plan.iterations) + "): " + what +
                          ": leave it out, or write iterations(1)");
    if (context.is_against_query() && context.plan.rounds && *context.plan.rounds < min_single_pairs)
        throw input_error("rounds(" + std::to_string(*context.plan.rounds) + "): " + what + " and needs " +
                          std::to_string(min_single_pairs) + " pairs of them at least: write rounds(" +
                          std::to_string(target_single_pairs) + "), or leave it out");
}

/// Turns the claim that a percentile is more into the claim that the other one is less. It swaps the sides of each
/// pair; `ratio` is the bound after the swap.
struct percentile_claim {
    bool less;
    double ratio;

    [[nodiscard]] time_pair operator()(const timed_pair& p) const noexcept {
        const double a = p.a.per_iteration();
        const double b = p.b.per_iteration();
        return less ? time_pair{b, a} : time_pair{a, b};
    }
};

inline void describe_percentiles(const claim_context& context, claim_result& result, const time_ratio& r,
                                 const percentile_claim& claimed, pair_series& series, std::size_t count) {
    std::vector<time_pair> pairs;
    for (std::size_t i = 0; i < count; ++i) pairs.push_back(claimed(series.pairs[i]));
    centre_interval seen = percentile_ratio_interval(pairs, percentile_level(context));
    if (!claimed.less) seen = {1.0 / seen.high, 1.0 / seen.centre, 1.0 / seen.low, seen.level};
    result.estimate = estimate{seen.centre, seen.centre, seen.low, seen.high, seen.level};
    describe_samples(context, result, r, series, count);
}

void judge_percentiles(const claim_context& context, claim_result& result) {
    constexpr std::size_t sensible = 100'000;
    const time_ratio r = ratio_of(context);
    const double bound = context.ratio_bound();
    result.bound = bound;
    const bool less = context.claims_less();
    const percentile_claim claimed{less, less ? bound : 1.0 / bound};
    sequential_settings settings =
        limits_of_rounds(context, sequential_settings::for_percentile_pairs().max_size, "pairs").settings;
    const std::size_t minimum =
        std::max<std::size_t>(min_single_pairs, min_pairs_to_violate(percentile_level(context), settings));
    require_rounds(context, minimum, "pairs");
    settings.max_size = std::max(settings.max_size, minimum);
    percentile_sequential test(percentile_level(context), claimed.ratio, settings);
    result.evidence.method =
        "pairs of single iterations in random order, " + std::string(percentile_sequential::method);
    double pair_seconds = 0.0;
    {
        const measuring_scope measuring(context, result);
        pair_series& series = series_for(context, result, r, minimum);
        drive_by_pairs(test, context, r, series, minimum, claimed);
        describe_percentiles(context, result, r, claimed, series, test.progress().size);
        note_pairs(context, result, r, series.pairs);
        pair_seconds = series.calibration.pair_ns * 1e-9;
    }
    conclude(context, result, test.progress(), {"pairs", pair_seconds, settings.max_size, sensible});
}

const procedure pairs_of_single_iterations{
    "pairs of single iterations in random order",
    [](const claim_context& context) { return is_clocked_pair(context) && needs_single_iterations(context.query); },
    judge_percentiles};

}  // namespace perfspec::detail
