// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/modules.hpp>
#include <perfspec/quantity/text.hpp>

#include <string>
#include <utility>

namespace perfspec::inline v0_1::detail {

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

}  // namespace perfspec::inline v0_1::detail
