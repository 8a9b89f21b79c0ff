// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/procedure.hpp>
#include <perfspec/quantity/error.hpp>

#include <algorithm>
#include <string>

namespace perfspec::detail {

inline bool is_at_call(const question& asked, option_id id) {
    return std::ranges::find(asked.options, id, &option::id) != asked.options.end();
}

inline void refuse_idle_launches(const question& asked) {
    const metric_kind m = asked.query.metric;
    const bool is_stored = asked.is_against_baseline();
    if (!over_launches(asked) || is_stored) return;
    if (is_counted(m) || reports_own_value(m))
        throw input_error("launches(n) at a claim on a count or on a metric of your own: it is judged in one process; leave it out");
    const bool over_processes = needs_fresh_process(m) || traits_of(m).from == reading::processes;
    if (!asked.is_bounded() && !over_processes)
        throw input_error("launches(n) at a query without a bound: it is measured in one process; leave it out, or claim something");
    if (!asked.is_relative() && !over_processes)
        throw input_error(
            "launches(n) at a claim with a fixed bound: only ratios are judged over launches, and baselines recorded from them; "
            "leave it out, or compare two subjects, as in speedup(a, b) > 0.95");
    if (is_clocked_pair(asked) && needs_single_iterations(asked.query))
        throw input_error(
            "launches(n) judges the centres of launches, and percentiles are judged in one: leave it out, or compare latency(x)");
}

/// Options at a call that its claim would ignore: better said than found out. Throws input_error.
inline void refuse_idle_options(const question& asked) {
    refuse_idle_launches(asked);
    const bool is_stored = asked.is_against_baseline();
    if (is_stored && asked.query.is_ratio() && needs_fresh_process(asked.query.metric))
        throw input_error("a compression has no baseline: bound it by a number, compression(a, b) > 0.9, or the memory itself, "
                          "peak_memory(b) <= baseline()");
    if (is_at_call(asked, option_id::drift) && !(is_stored && asked.plan.against.empty()))
        throw input_error(
            "drift(...) at a claim that is not compared with stored launches: what is measured in one run does not drift; leave it out");
    if (needs_single_iterations(asked.query)) require_percentile_options(asked);
}

}  // namespace perfspec::detail
