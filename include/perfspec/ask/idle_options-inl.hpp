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
        throw input_error(
            "launches(n) has no effect here: a claim on a count or on your own metric is judged in one process; leave it out");
    const bool over_processes = needs_fresh_process(m) || traits_of(m).from == reading::processes;
    if (!asked.is_bounded() && !over_processes)
        throw input_error(
            "launches(n) has no effect here: a query without a bound is measured in one process; leave it out, or add a bound");
    if (!asked.is_relative() && !over_processes)
        throw input_error(
            "launches(n) has no effect here: a claim with a fixed bound is judged in one process; leave it out, or compare two "
            "subjects, as in speedup(a, b) > 0.95");
    if (is_clocked_pair(asked) && needs_single_iterations(asked.query))
        throw input_error(
            "launches(n) has no effect here: percentiles are judged in one process; leave it out, or compare latency(x)");
}

/// Throws input_error for an option at a call that its claim would ignore, because the user would not notice.
inline void refuse_idle_options(const question& asked) {
    refuse_idle_launches(asked);
    const bool is_stored = asked.is_against_baseline();
    if (is_stored && asked.query.is_ratio() && needs_fresh_process(asked.query.metric))
        throw input_error(
            std::string(
                "a compression has no baseline: bound it by a number, compression(a, b) > 0.9, or the memory itself, ") +
            (counts_load(asked.query) ? "peak_memory(b, with_load) <= baseline()" : "peak_memory(b) <= baseline()"));
    if (is_at_call(asked, option_id::drift) && !(is_stored && asked.plan.against.empty()))
        throw input_error(
            "drift(...) has no effect here: only a comparison with stored launches can drift; leave it out");
    if (needs_single_iterations(asked.query)) require_percentile_options(asked);
}

}  // namespace perfspec::detail
