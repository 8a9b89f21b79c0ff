// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// `query == within(bound, tolerance)` is two claims over the same samples: the query is not worse than one end, and not
// better than the other. The procedure for its kind judges each claim, at half the rate of false failures. The whole is
// violated where one claim is. By the union bound, this happens falsely at most at the whole rate. That is true even
// for a tolerance so narrow that the true value is at both ends. The whole holds where both claims hold. No end needs a
// smaller rate for that (Berger, "Multiparameter hypothesis testing and acceptance sampling", Technometrics 24, 1982).

#include <perfspec/judge/against_baseline/stored_claim.hpp>
#include <perfspec/judge/commands.hpp>
#include <perfspec/judge/procedure.hpp>
#include <perfspec/language/one_side.hpp>
#include <perfspec/quantity/format.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace perfspec::detail {

/// Sets the result's bound to the middle of the tolerance, whichever side was judged.
inline void describe_tolerance(const claim_context& side, claim_result& result) {
    if (!result.bound) return;
    const claim_terms& within = side.written.value();
    const better direction = side.query.direction;
    const double middle = middle_of(within, direction, side.end.value(), *result.bound);
    const auto [low, high] = std::minmax({bound_of_side(within, direction, tolerance_end::loss, middle),
                                          bound_of_side(within, direction, tolerance_end::gain, middle)});
    result.bound = middle;
    result.tolerated = tolerated_range{low, high};
}

/// A result that is better than claimed is no fault of the code: the bound is wrong.
inline void explain_gain(const claim_context& context, claim_result& result) {
    if (context.is_against_query()) {
        result.reason = "better than the tolerance allows, against the other query";
        return;
    }
    if (!context.is_against_baseline()) {
        result.reason = "better than the tolerance allows: the bound is out of date; set it to the value measured now";
        return;
    }
    if (!context.plan.against.empty()) {
        result.reason = "better than the tolerance allows: this build is better than the reference build";
        return;
    }
    result.reason = "better than the tolerance allows: the baseline is out of date";
    const std::string file = result.baseline ? result.baseline->file : std::string{};
    result.advice.push_back("if the gain is intended, accept it as the new baseline: " +
                            update_variables(context, file, "1") + " " + run_again(context));
}

inline void judge_side(const claim_context& side, claim_result& result) {
    judge_by_procedure(side, result);
    describe_tolerance(side, result);
    if (result.verdict != verdict::violated) return;
    if (side.end == tolerance_end::gain) explain_gain(side, result);
    else result.reason = "worse than the tolerance allows";
}

/// Whether a given budget must last for two series: pairs of values that bodies report are not shared between claims.
inline bool shares_budget(const claim_context& context) {
    return context.plan.budget_given && context.is_relative() && reports_own_value(context.query.metric);
}

inline std::chrono::nanoseconds what_is_left(std::chrono::nanoseconds budget, double spent_seconds) {
    const std::chrono::duration<double> spent(spent_seconds);
    return std::max(std::chrono::nanoseconds{1}, budget - std::chrono::duration_cast<std::chrono::nanoseconds>(spent));
}

/// Whether this verdict leaves the decision to the other side.
inline bool leaves_open(const claim_result& f) {
    return f.verdict == verdict::holds || f.verdict == verdict::undecided;
}

/// Whether the loss's result shows more where no side is violated: the undecided one, or else the one with more
/// rounds.
inline bool tells_more(const claim_result& loss, const claim_result& gain) {
    if (loss.verdict != gain.verdict) return loss.verdict == verdict::undecided;
    return loss.evidence.rounds > gain.evidence.rounds;
}

/// Adds the cost of the first side. Where the second side went on with its samples, each has counted them.
inline void add_first_side(const claim_context& context, claim_result& both, const claim_result& first) {
    double& seconds = both.evidence.seconds;
    seconds =
        context.run.samples().any() ? std::max(seconds, first.evidence.seconds) : seconds + first.evidence.seconds;
    add_disturbances(both, first.disturbed);
}

/// Judges the second side; `found` holds the result of the first. It keeps the result of both that shows more.
inline void judge_second_side(const claim_context& side, claim_result& result, const claim_result& before) {
    claim_result loss = std::exchange(result, before);
    try {
        judge_side(side, result);
    } catch (...) {
        add_first_side(side, result, loss);
        throw;
    }
    const bool shows_loss = leaves_open(result) && tells_more(loss, result);
    add_first_side(side, result, loss);
    if (!shows_loss) return;
    loss.evidence.seconds = result.evidence.seconds;
    loss.disturbed = std::move(result.disturbed);
    result = std::move(loss);
}

/// The lower end of a tolerance around a number; nothing for other bounds.
inline std::optional<double> lower_end(const claim_context& context) {
    const value_bound* const around = std::get_if<value_bound>(&context.written.value().bound);
    if (around == nullptr) return {};
    const auto at = [&](tolerance_end end) {
        return bound_of_side(*context.written, context.query.direction, end, around->value);
    };
    return std::min(at(tolerance_end::loss), at(tolerance_end::gain));
}

void require_two_sides(const claim_context& context) {
    if (const auto low = lower_end(context); low && !(*low > 0.0))
        throw input_error("the tolerance reaches down to " + format_value(*low, context.unit) +
                          ", and no value is below that: claim <= its upper end instead");
}

void judge_within(const claim_context& context, claim_result& result) {
    require_two_sides(context);
    const plan& p = context.plan;
    // A child judges the side that its parent found violated. Its rate is that side's rate already.
    if (context.is_child())
        return judge_side(
            at_end(context, context.run.child()->end.value_or(tolerance_end::loss), p.false_failure, p.budget), result);
    const claim_result before = result;
    const double rate = p.false_failure / 2.0;
    judge_side(at_end(context, tolerance_end::loss, rate, shares_budget(context) ? p.budget / 2 : p.budget), result);
    if (!leaves_open(result)) return;
    const auto left = shares_budget(context) ? what_is_left(p.budget, result.evidence.seconds) : p.budget;
    judge_second_side(at_end(context, tolerance_end::gain, rate, left), result, before);
}

}  // namespace perfspec::detail
