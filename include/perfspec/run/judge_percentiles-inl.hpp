// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Claims on the percentiles of two subjects: pairs of single iterations in random order, whose tails are compared (stats/README.md, "Percentile pairs").

#include <perfspec/run/evaluation.hpp>
#include <perfspec/run/judge_pairs-inl.hpp>
#include <perfspec/stats/percentile.hpp>
#include <perfspec/stats/percentile_sequential.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {

void require_percentile_options(const evaluation& e) {
    const std::string what = "a percentile is of single iterations";
    if (is_told_by_body(e.query().measured)) throw input_error(what + " of latency(x) or cpu_time(x), not of device_time(x)");
    if (e.plan.iterations.value_or(1) != 1)
        throw input_error("iterations(" + std::to_string(*e.plan.iterations) + "): " + what + ": leave it out, or write iterations(1)");
    const bool of_pairs = e.tree().bound == bound_kind::query;
    if (of_pairs && e.plan.rounds && *e.plan.rounds < fewest_single_pairs)
        throw input_error("rounds(" + std::to_string(*e.plan.rounds) + "): " + what + " and needs " + std::to_string(fewest_single_pairs) +
                          " pairs of them at least: write rounds(" + std::to_string(comfortable_single_pairs) + "), or leave it out");
}

/// A claim that a percentile is more is the claim that the other one is less: which side of a timed pair is the fresh one, and of which ratio.
struct percentile_claim {
    bool less;
    double ratio;

    [[nodiscard]] time_pair operator()(const timed_pair& p) const noexcept {
        const double a = p.a.per_iteration();
        const double b = p.b.per_iteration();
        return less ? time_pair{b, a} : time_pair{a, b};
    }
};

inline void describe_percentiles(evaluation& e, const time_ratio& r, const percentile_claim& claimed, pair_series& series,
                                 std::size_t count) {
    std::vector<time_pair> pairs;
    for (std::size_t i = 0; i < count; ++i) pairs.push_back(claimed(series.pairs[i]));
    centre_interval seen = percentile_ratio_interval(pairs, percentile_level(e));
    if (!claimed.less) seen = {1.0 / seen.high, 1.0 / seen.centre, 1.0 / seen.low, seen.level};
    e.out.measured = estimate{seen.centre, seen.centre, seen.low, seen.high, seen.level};
    describe_samples(e, r, series, count);
}

void judge_percentiles(evaluation& e) {
    constexpr std::size_t sensible = 100'000;
    const time_ratio r = ratio_of(e);
    const double bound = e.tree().factor;
    e.out.bound = bound;
    if (!is_usable_ratio_bound(e, bound)) return;
    const bool less = sign_of(e.tree().compared) < 0.0;
    const percentile_claim claimed{less, less ? bound : 1.0 / bound};
    sequential_settings settings = limits_of_rounds(e, sequential_settings::for_percentile_pairs().most, "pairs").settings;
    const std::size_t fewest = std::max<std::size_t>(fewest_single_pairs, fewest_pairs_to_violate(percentile_level(e), settings));
    require_rounds(e, fewest, "pairs");
    settings.most = std::max(settings.most, fewest);
    percentile_sequential test(percentile_level(e), claimed.ratio, settings);
    e.out.evidence.method = "pairs of single iterations in random order, " + std::string(percentile_sequential::method);
    double pair_seconds = 0.0;
    {
        const measuring_scope measuring(e);
        pair_series& series = series_for(e, r, fewest);
        const auto open = [&] { return test.decided() == decision::none && !test.exhausted(); };
        feed_pairs(
            e, r, series, fewest, [&](const timed_pair& p) { test.add(claimed(p)); }, open);
        describe_percentiles(e, r, claimed, series, test.progress().size);
        note_pairs(e, r, series);
        pair_seconds = series.calibration.pair_ns * 1e-9;
    }
    conclude(e, test.progress(), {"pairs", pair_seconds, settings.most, sensible});
}

}  // namespace perfspec::detail
