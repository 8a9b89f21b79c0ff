// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/estimates.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/procedures/conclude.hpp>
#include <perfspec/procedures/exact_values.hpp>
#include <perfspec/quantity/format.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

std::string counted_bound_text(const claim_context& context, double other) {
    const double written = std::get<query_bound>(context.written.value().bound).factor;
    return (written == 1.0 ? std::string{} : fmt::format("{:g} x ", written)) +
           format_value(other, context.query.unit) + " of " +
           describe(context.other(), {context.names.begin() + 1, context.names.end()});
}

std::size_t processes_that_agree(double rate) {
    constexpr double minimum = 3.0;
    return static_cast<std::size_t>(std::max(minimum, std::ceil(-std::log2(rate))));
}

bool do_agree(const std::vector<double>& values) {
    return std::ranges::adjacent_find(values, std::ranges::not_equal_to{}) == values.end();
}

void require_bound_of_counts(const claim_context& context, double bound) {
    if (bound >= 0.0 && std::isfinite(bound)) return;
    throw input_error("a count cannot be compared with " + format_value(bound, context.query.unit) +
                      ": write 0 or a larger finite number");
}

claim_result with_exact_value(const claim_context& context, claim_result result, double value, double bound) {
    result.unit = context.query.unit;
    result.estimate = without_interval(value);
    result.bound = is_same_number(value, bound) ? value : bound;
    result.margin = 0.0;
    result.evidence.exact = true;
    return result;
}

claim_result compare_exactly(const claim_context& context, claim_result result, double value, double bound) {
    result = with_exact_value(context, std::move(result), value, bound);
    result.verdict = satisfies(context.compared(), value, bound) ? verdict::holds : verdict::violated;
    return result;
}

claim_result compare_agreed(const claim_context& context, claim_result result, double value, double bound) {
    result.evidence.approximate = false;
    result.evidence.method = "exact comparison of values that all agree";
    return agreed_by_processes(context, compare_exactly(context, std::move(result), value, bound));
}

std::string list_of_counts(const claim_context& context, const std::vector<double>& values) {
    std::string text;
    for (const double v : values) text += (text.empty() ? "" : ", ") + format_value(v, context.query.unit);
    return text;
}

}  // namespace perfspec::inline v0_2::detail
