// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/modules.hpp>
#include <perfspec/quantity/text.hpp>

#include <stdexcept>
#include <string>
#include <utility>

namespace perfspec::inline v0_2::detail {

/// A module defined a metric without the function that reads it.
[[noreturn]] inline void refuse_reading(const char* function) {
    throw std::logic_error(
        std::string("the metric of a module does not define what reads it: override module_metric::") + function);
}

double module_metric::read(const subject&, counters&) const { refuse_reading("read"); }
double module_metric::declared(const subject&) const { refuse_reading("declared"); }
claim_result module_metric::measure(const claim_context&) const { refuse_reading("measure"); }

claim_result explained(claim_result result, explanation added) {
    append(result.parts, std::move(added.parts));
    append(result.advice, std::move(added.advice));
    result.disturbed = joined(std::move(result.disturbed), added.disturbed);
    if (added.profile) result.baseline.value().profile = std::move(added.profile);
    return result;
}

claim_result explained(const claim_context& context, claim_result result) {
    const module_metric* const module = module_of(context.query);
    const bool counts = module != nullptr && traits_of(context.query.metric).from == reading::module;
    if (counts && result.verdict == verdict::violated) result.parts = module->parts_of_violation(context);
    if (result_explainer != nullptr) {
        explanation found = result_explainer(context, result);
        return explained(std::move(result), std::move(found));
    }
    if (!counts && !context.plan.trace.empty() && result.verdict == verdict::violated)
        result.advice.emplace_back(
            "there is no trace, because nothing in this program records one; the option trace is for models whose "
            "library records its operators");
    return result;
}

}  // namespace perfspec::inline v0_2::detail
