// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// `query == within(bound, tolerance)` is two claims over the same samples: the query is not worse than one end, and not
// better than the other. The procedure for its kind judges each claim at half the rate of false failures. The whole is
// violated if one claim is; by the union bound, falsely at most at the whole rate, even if the tolerance is so narrow
// that the true value is at both ends. The whole holds if both claims hold, which needs no smaller rate (Berger,
// "Multiparameter hypothesis testing and acceptance sampling", Technometrics 24, 1982).

#include <perfspec/against_baseline/stored_claim.hpp>
#include <perfspec/claim/commands.hpp>
#include <perfspec/claim/estimates.hpp>
#include <perfspec/claim/record_of.hpp>
#include <perfspec/judge/judge_claim.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/procedures/procedure.hpp>
#include <perfspec/quantity/format.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace perfspec::inline v0_2::detail {

/// The result with the middle of the tolerance as its bound.
inline claim_result with_tolerance(const claim_context& side, claim_result result) {
    if (!result.bound) return result;
    result.tolerated = allowed_by(side, *result.bound);
    result.bound = midpoint_of(side.written.value(), side.query.direction, side.end.value(), *result.bound);
    return result;
}

/// If a value is better than claimed, the bound is wrong and not the code.
inline judgement explain_gain(const claim_context& context, const claim_result& result) {
    const auto better_than = [](const char* what) {
        return judgement{verdict::violated, std::string("better than the tolerance allows") + what};
    };
    if (context.is_against_query()) return better_than(", against the other query");
    if (!context.is_against_baseline())
        return better_than(": the bound is out of date; set it to the value measured now");
    if (!context.plan.baseline_build.empty()) return better_than(": this build is better than the baseline build");
    judgement outcome = better_than(": the baseline is out of date");
    const std::string file = result.baseline ? result.baseline->file : std::string{};
    outcome.advice.push_back("if the gain is intended, accept it as the new baseline: " +
                             update_variables(context, file, "1") + " " + run_again(context));
    return outcome;
}

inline claim_result judge_side(const claim_context& side) {
    claim_result result = with_tolerance(side, judge_by_procedure(side));
    if (result.verdict != verdict::violated) return result;
    judgement outcome = side.end == tolerance_end::gain
                            ? explain_gain(side, result)
                            : judgement{verdict::violated, "worse than the tolerance allows"};
    return judged(std::move(result), std::move(outcome));
}

/// Whether the other side decides.
inline bool is_open_verdict(const claim_result& result) {
    return result.verdict == verdict::holds || result.verdict == verdict::undecided;
}

/// Whether the loss's result says more than the gain's: it alone is undecided, or with equal verdicts it has more
/// rounds.
inline bool says_more(const claim_result& loss, const claim_result& gain) {
    if (loss.verdict != gain.verdict) return loss.verdict == verdict::undecided;
    return loss.evidence.rounds > gain.evidence.rounds;
}

/// The result of the second side with the cost of the first one, unless the sides share samples and both count them.
inline claim_result with_first_side(const claim_context& context, claim_result second, const claim_result& first) {
    const bool share = context.samples->any();
    if (!share) second.evidence.add_time(first.evidence);
    second.evidence.seconds = std::max(second.evidence.seconds, first.evidence.seconds);
    disturbances of_first = first.disturbed;
    if (share) {  // the second side counts their interruptions, too
        of_first.interrupted = of_first.excluded = 0;
        of_first.interrupted_seconds = 0.0;
    }
    second.disturbed = joined(std::move(second.disturbed), of_first);
    return second;
}

/// The result that says more, with the cost of both.
inline claim_result more_informative(claim_result loss, claim_result gain) {
    if (!is_open_verdict(gain) || !says_more(loss, gain)) return gain;
    loss.evidence.seconds = gain.evidence.seconds;
    loss.evidence.starting_seconds = gain.evidence.starting_seconds;
    loss.disturbed = std::move(gain.disturbed);
    return loss;
}

/// The lower end of a tolerance around a number; empty for other bounds.
inline std::optional<double> lower_end(const claim_context& context) {
    const value_bound* const bound = std::get_if<value_bound>(&context.written.value().bound);
    if (bound == nullptr) return {};
    const auto at = [&](tolerance_end end) {
        return bound_of_side(*context.written, context.query.direction, end, bound->value);
    };
    return std::min(at(tolerance_end::loss), at(tolerance_end::gain));
}

void require_two_sides(const claim_context& context) {
    if (const auto low = lower_end(context); low && !(*low > 0.0))
        throw input_error("the tolerance reaches down to " + format_value(*low, context.unit) +
                          ", but no value is below 0: claim only its upper end, with <=");
}

claim_result judge_within(const claim_context& context) {
    require_two_sides(context);
    // A child judges the side that is violated in its parent. Its plan has that side's rate.
    if (context.is_child())
        return judge_side(
            at_end(context, context.run.child()->end.value_or(tolerance_end::loss), context.plan.false_failure));
    const double rate = context.plan.false_failure / 2.0;
    claim_result loss = judge_side(at_end(context, tolerance_end::loss, rate));
    if (!is_open_verdict(loss)) return loss;
    claim_result gain = judge_side(at_end(context, tolerance_end::gain, rate));
    gain = with_first_side(context, std::move(gain), loss);
    return more_informative(std::move(loss), std::move(gain));
}

}  // namespace perfspec::inline v0_2::detail
