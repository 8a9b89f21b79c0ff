// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/procedure.hpp>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>
#include <vector>

namespace perfspec::detail {

inline std::vector<const procedure*>& known_procedures() {
    static std::vector<const procedure*> all(std::begin(procedures_of_the_core), std::end(procedures_of_the_core));
    return all;
}

std::span<const procedure* const> procedures() { return known_procedures(); }

void add_procedures(std::span<const procedure* const> more) {
    known_procedures().insert(known_procedures().end(), more.begin(), more.end());
}

const procedure& procedure_for(const claim_context& context) {
    const auto found = std::ranges::find_if(procedures(), [&](const procedure* p) { return p->answers(context); });
    if (found == procedures().end()) throw std::logic_error("perfspec: no procedure answers " + context.text);
    return **found;
}

claim_result empty_result(const claim_context& context) {
    claim_result result;
    result.unit = context.unit;
    result.margin = context.plan.margin;
    return result;
}

inline result_explainer& known_explainer() {
    static result_explainer known{};
    return known;
}

void explain_results_by(result_explainer explainer) { known_explainer() = explainer; }

claim_result explained(claim_result result, explanation more) {
    append(result.parts, std::move(more.parts));
    append(result.advice, std::move(more.advice));
    result.disturbed = joined(std::move(result.disturbed), more.disturbed);
    if (more.operators) result.baseline.value().operators = std::move(more.operators);
    return result;
}

claim_result explained(const claim_context& context, claim_result result) {
    const module_counter* const by = module_counter_of(context);
    if (by != nullptr && result.verdict == verdict::violated) result.parts = by->parts_of_violation(context);
    if (known_explainer() != nullptr) {
        explanation more = known_explainer()(context, result);
        return explained(std::move(result), std::move(more));
    }
    if (by == nullptr && !context.plan.trace.empty() && result.verdict == verdict::violated)
        result.advice.emplace_back("no trace: this program records no operators; link perfspec::libtorch");
    return result;
}

inline operators_recording& known_operators_recording() {
    static operators_recording known{};
    return known;
}

void store_operators_by(operators_recording record) { known_operators_recording() = record; }

explanation operators_to_store(const claim_context& context) {
    return known_operators_recording() != nullptr ? known_operators_recording()(context) : explanation{};
}

}  // namespace perfspec::detail
