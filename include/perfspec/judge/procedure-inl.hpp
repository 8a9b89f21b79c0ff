// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/module_counter.hpp>
#include <perfspec/judge/procedure.hpp>

#include <algorithm>
#include <iterator>
#include <optional>
#include <stdexcept>
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

inline finding_explainer& known_explainer() {
    static finding_explainer known{};
    return known;
}

void explain_findings_by(finding_explainer explainer) { known_explainer() = explainer; }

void explain_finding(const claim_context& context, claim_result& result) {
    const module_counter* const by = module_counter_of(context);
    if (by != nullptr) by->explain(context, result);
    if (known_explainer() != nullptr) return known_explainer()(context, result);
    if (by == nullptr && !context.plan.trace.empty() && result.verdict == verdict::violated)
        result.advice.emplace_back("no trace: this program records no operators; link perfspec::libtorch");
}

inline operators_recording& known_operators_recording() {
    static operators_recording known{};
    return known;
}

void store_operators_by(operators_recording record) { known_operators_recording() = record; }

std::optional<operator_profile> operators_to_store(const claim_context& context, claim_result& result) {
    if (known_operators_recording() == nullptr) return {};
    return known_operators_recording()(context, result);
}

}  // namespace perfspec::detail
