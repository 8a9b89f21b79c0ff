// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/procedures/procedure.hpp>
#include <perfspec/claim/readings.hpp>

#include <utility>
#include <vector>

namespace perfspec::detail {

inline std::vector<const procedure*>& procedures_of_adapters() {
    static auto& procedures = *new std::vector<const procedure*>;  // never destroyed, as the session
    return procedures;
}

void add_procedures(std::span<const procedure* const> more) {
    procedures_of_adapters().insert(procedures_of_adapters().end(), more.begin(), more.end());
}

/// The core's procedure for a query without a bound.
inline procedure procedure_for_query(const claim_context& context) {
    if (context.query.arity == query_arity::several && context.query.metric != metric_kind::growth)
        return {"rounds of all subjects in random order", nullptr, measure_several};
    return {"samples as one launch takes them, without a bound", nullptr, measure_one_launch};
}

/// The core's procedure for two subjects whose times or values are compared.
inline procedure procedure_for_pair(const claim_context& context) {
    if (!reports_own_value(context.query.metric)) {
        if (needs_single_iterations(context.query))
            return {"pairs of single iterations in random order", nullptr, judge_percentiles};
        if (over_launches(context)) return {"centres of fresh launches", nullptr, judge_launches};
    }
    return {"pairs in random order", nullptr, judge_pairs};
}

procedure procedure_for(const claim_context& context) {
    for (const procedure* const p : procedures_of_adapters())
        if (p->answers(context)) return *p;
    const metric_kind m = context.query.metric;
    if (context.is_of_outputs) return {"comparison of outputs", nullptr, judge_output};
    if (context.is_against_baseline()) {
        if (!context.plan.against.empty()) return {"launch pairs of both builds", nullptr, judge_reference};
        return {"fresh launches against stored ones, by ranks", nullptr, judge_stored};
    }
    if (traits_of(m).from == reading::processes) return {"the spread of fresh launches", nullptr, judge_stability};
    if (needs_fresh_process(m)) return {"values of fresh launches", nullptr, judge_fresh};
    if (!context.is_bounded()) return procedure_for_query(context);
    if (m == metric_kind::growth) return {"blocks of sizes in random order", nullptr, judge_growth};
    if (is_declared(m)) return {declared_method, nullptr, judge_declared};
    if (is_counted(m))
        return {"exact comparison of runs that agree; statistics where they vary", nullptr, judge_counts};
    if (context.is_relative()) return procedure_for_pair(context);
    return {"blocks spread over the budget", nullptr, judge_blocks};
}

claim_result empty_result(const claim_context& context) {
    claim_result result;
    result.unit = context.unit;
    result.margin = context.margin();
    return result;
}

claim_result explained(claim_result result, explanation added) {
    append(result.parts, std::move(added.parts));
    append(result.advice, std::move(added.advice));
    result.disturbed = joined(std::move(result.disturbed), added.disturbed);
    if (added.operators) result.baseline.value().operators = std::move(added.operators);
    return result;
}

claim_result explained(const claim_context& context, claim_result result) {
    const module_counter* const counter = module_counter_of(context);
    if (counter != nullptr && result.verdict == verdict::violated) result.parts = counter->parts_of_violation(context);
    if (result_explainer != nullptr) {
        explanation found = result_explainer(context, result);
        return explained(std::move(result), std::move(found));
    }
    if (counter == nullptr && !context.plan.trace.empty() && result.verdict == verdict::violated)
        result.advice.emplace_back("no trace: this program records no operators; link perfspec::libtorch");
    return result;
}

}  // namespace perfspec::detail
