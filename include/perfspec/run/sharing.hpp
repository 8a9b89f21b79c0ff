// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Which claims of a test case share what was measured, and who counts its cost.

#include <perfspec/language/subject_state.hpp>
#include <perfspec/run/evaluation.hpp>
#include <perfspec/stats/percentile.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {

/// The options that shape samples. The budget is one: it is settled once a series, when that is calibrated.
inline std::string sampling_of(const plan& p) {
    return " " + std::to_string(p.sample_time.count()) + " " + std::to_string(p.iterations.value_or(0)) + " " +
           std::to_string(p.warmup.count()) + " " + std::to_string(p.budget.count()) + " " + std::to_string(p.cap.count()) +
           (p.budget_given ? " hard " : " ") + std::to_string(p.seed.value_or(0));
}

/// A plan says launches for every claim of a run; only a call means this one.
inline bool over_launches(const evaluation& e) {
    return !e.is_child() &&
           std::ranges::any_of(e.asked.options, [](const option& o) { return o.id == option_id::launches && o.number > 0.0; });
}

/// Samples are shared by claims on the same objects that are measured in the same way.
inline std::string sharing_key(const evaluation& e, const std::vector<const subject*>& subjects, metric_kind m) {
    std::string key = std::to_string(static_cast<int>(m));
    for (const subject* s : subjects) key += ' ' + std::to_string(s->state().id);
    if (needs_single_iterations(e.query())) key += " single " + std::to_string(percentile_block(percentile_level(e)));
    return key + sampling_of(e.plan);
}

/// What the series has cost so far, and how much of it an earlier claim's record counts.
template <class Series> void describe_cost(evaluation& e, Series& series) {
    e.out.evidence.seconds = series.spent_ns * 1e-9;
    e.out.evidence.shared_seconds = std::exchange(series.counted_ns, series.spent_ns) * 1e-9;
    e.out.evidence.budget_seconds = static_cast<double>(series.calibration.time.budget_ns) * 1e-9;
}

/// The launches of the query's key that this test case has taken so far.
inline launch_series& launches_of(evaluation& e) {
    return e.context.samples().launches[e.out.key + "\n" + e.out.query + sampling_of(e.plan) + (e.side != 0 ? " other" : "")];
}

}  // namespace perfspec::detail
