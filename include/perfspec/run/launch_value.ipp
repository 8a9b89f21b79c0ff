// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The value of one launch (statistics.md 7), and queries that are only measured.

#include <perfspec/measure/launch_sample.hpp>
#include <perfspec/run/evaluation.hpp>
#include <perfspec/run/measuring.hpp>
#include <perfspec/stats/hodges_lehmann.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {

inline void measure_ratio_value(evaluation& e) {
    const time_ratio r = ratio_of(e);
    const std::uint64_t seed = e.is_child() ? e.context.child()->seed : e.plan.seed.value_or(e.context.around().draw_seed());
    const launch_pairs taken = measure_launch(r.numerator, r.denominator, settings_of(e, r.measured), seed, clocks_for(e, r.measured));
    pair_series series{.calibration = taken.calibration, .seed = seed, .pairs = taken.pairs, .spent_ns = 0.0};
    describe_pairs(e, r, r.log_factor, series, series.pairs.size());
    e.out.evidence.method = "Hodges-Lehmann centre of pairs in random order";
}

inline void measure_time_value(evaluation& e) {
    const query_description& q = e.query();
    launch_times taken = measure_launch(q.subjects[0], settings_of(e, q.measured), clocks_for(e, q.measured));
    const summary s = summarize(taken.samples_ns);
    const auto [low, high] = std::minmax({value_from_time(e, s.lower_quartile), value_from_time(e, s.upper_quartile)});
    const double value = value_from_time(e, taken.median_ns);
    e.out.measured = estimate{value, value, low, high, 0.0};
    e.out.evidence.rounds = taken.samples_ns.size();
    e.out.evidence.method = "median of samples, with their quartiles";
    e.out.subjects = {summary_of(e.names.front(), std::move(taken.samples_ns), taken.calibration.x.iterations)};
}

void measure_launch_value(evaluation& e) {
    const measuring_scope measuring(e);
    clock& wall = e.context.around().wall;
    const std::int64_t started = wall.now();
    if (e.query().ratio || e.tree().bound == bound_kind::query) {
        measure_ratio_value(e);
    } else {
        measure_time_value(e);
    }
    e.out.evidence.seconds = static_cast<double>(wall.now() - started) * 1e-9;
    set_verdict(e, verdict::holds);
}

void measure_only(evaluation& e) { measure_launch_value(e); }

}  // namespace perfspec::detail
