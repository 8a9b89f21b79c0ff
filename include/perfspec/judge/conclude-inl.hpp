// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/conclude.hpp>
#include <perfspec/judge/processes/fresh_process.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/stats/sequential.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>

namespace perfspec::detail {

/// "rounds(150), budget(3s)": the options that stopped the test, with values that let it go on to this number of units.
inline std::string options_for(const claim_result& result, const test_progress& test, const unit_of_evidence& unit,
                               double units) {
    std::string options;
    const auto add = [&](const std::string& option) { options += (options.empty() ? "" : ", ") + option; };
    const double seconds = result.evidence.seconds + (units - static_cast<double>(test.size)) * unit.seconds;
    if (units > static_cast<double>(unit.rounds)) add("rounds(" + std::to_string(std::llround(units)) + ")");
    if (seconds > result.evidence.budget_seconds)
        add("budget(" + std::to_string(std::llround(std::ceil(seconds))) + "s)");
    return options;
}

/// The evidence that would decide the claim at the rate so far; nothing where no sensible number of units would.
inline std::optional<std::string> more_evidence(const claim_result& result, const test_progress& test,
                                                const unit_of_evidence& unit) {
    constexpr double longest_seconds = 3600.0;
    constexpr double reserve = 1.5;  // the rate is an estimate
    const outlook ahead = extrapolate(test, unit.sensible);
    const double seconds = static_cast<double>(ahead.further) * unit.seconds;
    if (ahead.toward == decision::none || seconds > longest_seconds) return {};
    const double units = std::min(std::ceil(reserve * static_cast<double>(test.size + ahead.further)),
                                  static_cast<double>(unit.sensible));
    return "about " + std::to_string(ahead.further) + " more " + unit.name + " (" + format_seconds(seconds * 1e9) +
           ") would decide it at the rate so far: " + options_for(result, test, unit, units);
}

/// The margin with which the claim would hold on these measurements: it moves the bound out of the interval.
/// Nothing where it would be too large.
inline std::optional<double> margin_that_holds(const claim_context& context, const claim_result& result) {
    constexpr double largest = 0.2;  // a larger one would accept what the claim denies
    const double bound = *result.bound;
    const estimate& seen = *result.estimate;
    const double margin = !context.claims_less() ? bound / seen.low - 1.0 : seen.high / bound - 1.0;
    if (!(margin > context.plan.margin) || !(margin <= largest)) return {};
    return margin;
}

/// Two digits of a fraction as percent, rounded up: "1.3" for 0.01204.
inline std::string percent_up(double fraction) {
    const double unit = std::pow(10.0, std::floor(std::log10(100.0 * fraction)) - 1.0);
    char text[32];
    std::snprintf(text, sizeof text, "%g", std::ceil(100.0 * fraction / unit) * unit);
    return text;
}

/// "0.001".
inline std::string format_rate(double rate) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", rate);
    return text;
}

inline void advise_on_distance(const claim_context& context, claim_result& result) {
    if (!result.estimate || !result.bound || !(result.estimate->centre > 0.0)) return;
    if (context.query.unit == dimension::power) return;  // for a logarithm, no factor describes the distance
    if (const auto margin = margin_that_holds(context, result))
        result.advice.push_back("with margin(" + percent_up(*margin) + "_pct) it would hold on these measurements");
    const double centre = std::log(result.estimate->centre);
    const double noise = std::max(std::log(result.estimate->high) - centre, centre - std::log(result.estimate->low));
    constexpr double too_wide = 0.7;  // a factor of two is too coarse to place a bound
    if (noise > 0.0 && noise < too_wide) {
        result.advice.push_back("a bound " + percent_up(std::expm1(noise)) + " % away from " +
                                format_value(result.estimate->centre, context.unit) +
                                " could be decided with these measurements");
    }
}

/// Whether the interval is on the side of the bound that the claim denies.
inline bool looks_violated(const claim_context& context, const claim_result& result) {
    if (!result.estimate || !result.bound) return false;
    return !context.claims_less() ? result.estimate->high < *result.bound : result.estimate->low > *result.bound;
}

inline std::string no_more_evidence(const claim_context& context, const claim_result& result) {
    if (looks_violated(context, result))
        return "the interval is beyond the bound, but the evidence does not reach the false-failure rate of " +
               format_rate(context.plan.false_failure) +
               " yet: treat it as a regression until a longer measurement shows otherwise";
    return "more time will not decide this claim: the measured value is too close to the bound for the noise of this machine";
}

void explain_undecided(const claim_context& context, claim_result& result, const test_progress& test,
                       const unit_of_evidence& unit) {
    const std::string spent =
        std::to_string(test.size) + " " + unit.name + " in " + format_seconds(result.evidence.seconds * 1e9);
    set_verdict(result, verdict::undecided, spent + " do not show whether the claim holds or is violated");
    const auto more = more_evidence(result, test, unit);
    result.advice.push_back(more ? *more : no_more_evidence(context, result));
    advise_on_distance(context, result);
}

void describe_test(claim_result& result, const test_progress& test) {
    result.evidence.log_e_holds = test.log_e_holds;
    result.evidence.log_e_violated = test.log_e_violated;
}

void conclude(const claim_context& context, claim_result& result, const test_progress& test,
              const unit_of_evidence& unit) {
    describe_test(result, test);
    switch (test.decided) {
    case decision::holds: set_verdict(result, verdict::holds); break;
    case decision::violated:
        set_verdict(result, verdict::violated);
        if (!context.is_child() && test.settings.confirm == stages::two) confirm_violation(context, result);
        break;
    case decision::none: explain_undecided(context, result, test, unit); break;
    }
}

void note_request(const claim_context& context, claim_result& result) noexcept {
    result.on_request = context.plan.policy == missing_baseline_policy::local;
}

}  // namespace perfspec::detail
