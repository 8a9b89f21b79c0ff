// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/notes.hpp>
#include <perfspec/claim/observing.hpp>
#include <perfspec/claim/partial_result.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/procedures/conclude.hpp>
#include <perfspec/procedures/pairs-inl.hpp>
#include <perfspec/procedures/procedure.hpp>
#include <perfspec/stats/percentile.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Claims on the percentiles of two subjects, by pairs of single iterations in random order (stats/README.md,
// "Percentile pairs").

namespace perfspec::inline v0_2::detail {

/// Swaps the sides of a claim that a percentile is more, so it becomes a claim that the other one is less. `ratio` is
/// the bound after the swap.
struct percentile_claim {
    bool less;
    double ratio;

    [[nodiscard]] time_pair operator()(const reading_pair& p) const noexcept {
        return less ? time_pair{p.b, p.a} : time_pair{p.a, p.b};
    }
};

inline estimate estimate_of_percentiles(const claim_context& context, const percentile_claim& claimed,
                                        const pair_series& series, std::size_t count) {
    std::vector<time_pair> pairs;
    for (std::size_t i = 0; i < count; ++i) pairs.push_back(claimed(series.pairs[i]));
    center_interval interval = percentile_ratio_interval(pairs, percentile_level(context));
    if (!claimed.less) interval = {1.0 / interval.high, 1.0 / interval.center, 1.0 / interval.low, interval.level};
    return {interval.center, interval.low, interval.high, interval.level};
}

/// The settings of a test on a percentile, and the number of pairs that it needs for the verdict violated.
inline round_limits limits_of_percentiles(const claim_context& context) {
    round_limits limits = limits_of_rounds(context, sequential_settings::for_percentile_pairs().max_size, "pairs");
    limits.min_size =
        std::max<std::size_t>(min_single_pairs, min_pairs_to_violate(percentile_level(context), limits.settings));
    require_rounds(context, limits.min_size, "pairs");
    limits.settings.max_size = std::max(limits.settings.max_size, limits.min_size);
    return limits;
}

claim_result judge_percentiles(const claim_context& context) {
    constexpr std::size_t sensible = 100'000;
    claim_result result = empty_result(context);
    const time_ratio r = ratio_of(context);
    result.bound = context.ratio_bound();
    const bool less = context.claims_less();
    const percentile_claim claimed{less, less ? *result.bound : 1.0 / *result.bound};
    const auto [settings, minimum] = limits_of_percentiles(context);
    percentile_sequential test(percentile_level(context), claimed.ratio, settings);
    result.evidence.method =
        "pairs of single iterations in random order, " + std::string(percentile_sequential::method);
    auto [evidence, observation] = measure(context, result, [&, at_least = minimum]() -> pair_evidence {
        pair_series& series = series_for(context, r, at_least);
        pair_feed feed(context, r, series, at_least);
        drive(test, [&](std::size_t index) {
            const reading_pair* const pair = feed.at(index);
            return pair != nullptr ? std::optional(claimed(*pair)) : std::nullopt;
        });
        return {series, test.progress().size, false, notes_of_pairs(context, r, series)};
    });
    result = with_pairs(context, std::move(result), r, evidence.series, evidence.printed_pairs);
    if (evidence.printed_pairs > 0)
        result.estimate = estimate_of_percentiles(context, claimed, evidence.series, evidence.printed_pairs);
    result.notes = std::move(evidence.notes);
    result = conclude(context, observed(std::move(result), std::move(observation)), test.progress(),
                      {"pairs", evidence.series.calibration.pair_ns * 1e-9, settings.max_size, sensible});
    return with_reason_of_interruptions(std::move(result), "pairs", test.progress().size, evidence.series.excluded);
}

}  // namespace perfspec::inline v0_2::detail
