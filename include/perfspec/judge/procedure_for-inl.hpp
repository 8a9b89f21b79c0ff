// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/against_baseline/judge_baseline.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/judge/judge_claim.hpp>
#include <perfspec/judge/outputs.hpp>
#include <perfspec/procedures/procedure.hpp>

#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// The core's procedure for a query without a bound.
inline procedure procedure_for_query(const claim_context& context) {
    if (context.query.arity == query_arity::several && context.query.metric != metrics::complexity)
        return {"rounds of all subjects in random order", nullptr, measure_several};
    return {"samples as one process takes them, without a bound", nullptr, measure_one_process};
}

/// The core's procedure for two subjects whose times or values are compared.
inline procedure procedure_for_pair(const claim_context& context) {
    if (!reports_own_value(context.query.metric)) {
        if (needs_single_iterations(context.query))
            return {"pairs of single iterations in random order", nullptr, judge_percentiles};
        if (over_processes(context)) return {"centers of fresh processes", nullptr, judge_processes};
    }
    return {"pairs in random order", nullptr, judge_pairs};
}

procedure procedure_for(const claim_context& context) {
    for (const procedure* const p : procedures_of_adapters())
        if (p->answers(context)) return *p;
    const metric_kind m = context.query.metric;
    if (context.is_of_outputs) return {"comparison of outputs", nullptr, judge_output};
    if (context.is_against_baseline()) {
        if (!context.plan.baseline_build.empty())
            return {"process pairs of both builds", nullptr, judge_baseline_build};
        return {"fresh processes against stored ones, by ranks", nullptr, judge_stored};
    }
    if (traits_of(m).from == reading::processes) return {"the spread of fresh processes", nullptr, judge_spread};
    if (needs_fresh_process(m)) return {"values of fresh processes", nullptr, judge_fresh};
    if (!context.is_bounded()) return procedure_for_query(context);
    if (m == metrics::complexity) return {"blocks of sizes in random order", nullptr, judge_complexity};
    if (is_declared(m)) return {declared_method, nullptr, judge_declared};
    if (is_counted(m))
        return {"exact comparison of runs that agree; statistics where they vary", nullptr, judge_counts};
    if (context.is_relative()) return procedure_for_pair(context);
    return {"blocks spread over the budget", nullptr, judge_blocks};
}

}  // namespace perfspec::inline v0_2::detail
