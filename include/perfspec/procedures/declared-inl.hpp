// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Values that are known before the program runs, such as compile times: single numbers, compared exactly. No body runs.

#include <perfspec/claim/estimates.hpp>
#include <perfspec/claim/modules.hpp>
#include <perfspec/claim/partial_result.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/procedures/exact_values.hpp>
#include <perfspec/procedures/procedure.hpp>

#include <string>
#include <utility>

namespace perfspec::inline v0_2::detail {

/// Precondition: the subjects have values (`reason_of_subjects`).
claim_result judge_declared(const claim_context& context) {
    claim_result result = empty_result(context);
    const double value = module_of(context.query)->declared(context.query.subjects[0]);
    double bound = 0.0;
    result.subjects = {summary_of(context.names[0], {value}, 1, context.query.unit)};
    if (context.is_against_query()) {
        const double other = module_of(context.other())->declared(context.other().subjects[0]);
        result.subjects.push_back(summary_of(context.names[1], {other}, 1, context.query.unit));
        result.bound_text = counted_bound_text(context, other);
        bound = context.against().factor * other;
    } else {
        bound = context.value();
    }
    result.evidence.rounds = 1;
    result.evidence.method = declared_method;
    return compare_exactly(context, std::move(result), value, bound);
}

claim_result measure_declared(const claim_context& context) {
    const double value = module_of(context.query)->declared(context.query.subjects[subject_of_this_process(context)]);
    claim_result result = empty_result(context);
    result.estimate = without_interval(value);
    result.evidence.rounds = 1;
    result.evidence.exact = true;
    result.evidence.method = declared_method;
    result.subjects = {summary_of(context.names.front(), {value}, 1, context.query.unit)};
    return result;
}

}  // namespace perfspec::inline v0_2::detail
