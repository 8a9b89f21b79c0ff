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
inline std::string options_for(const finding& found, const test_progress& test, const unit_of_evidence& unit,
                               double units) {
    std::string options;
    const auto add = [&](const std::string& option) { options += (options.empty() ? "" : ", ") + option; };
    const double seconds = found.evidence.seconds + (units - static_cast<double>(test.size)) * unit.seconds;
    if (units > static_cast<double>(unit.rounds)) add("rounds(" + std::to_string(std::llround(units)) + ")");
    if (seconds > found.evidence.budget_seconds)
        add("budget(" + std::to_string(std::llround(std::ceil(seconds))) + "s)");
    return options;
}

/// The evidence that would decide the claim at the rate so far; nothing where no sensible number of units would.
inline std::optional<std::string> more_evidence(const finding& found, const test_progress& test,
                                                const unit_of_evidence& unit) {
    constexpr double longest_seconds = 3600.0;
    constexpr double reserve = 1.5;  // the rate is an estimate
    const outlook ahead = extrapolate(test, unit.sensible);
    const double seconds = static_cast<double>(ahead.further) * unit.seconds;
    if (ahead.toward == decision::none || seconds > longest_seconds) return {};
    const double units = std::min(std::ceil(reserve * static_cast<double>(test.size + ahead.further)),
                                  static_cast<double>(unit.sensible));
    return "about " + std::to_string(ahead.further) + " more " + unit.name + " (" + format_seconds(seconds * 1e9) +
           ") would decide it at the rate so far: " + options_for(found, test, unit, units);
}

/// The margin with which the claim would hold on these measurements: it moves the bound out of the interval.
/// Nothing where it would be too large.
inline std::optional<double> margin_that_holds(const claim_context& context, const finding& found) {
    constexpr double largest = 0.2;  // a larger one would accept what the claim denies
    const double bound = *found.bound;
    const estimate& seen = *found.estimate;
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

inline void advise_on_distance(const claim_context& context, finding& found) {
    if (!found.estimate || !found.bound || !(found.estimate->centre > 0.0)) return;
    if (context.query.unit == dimension::power) return;  // for a logarithm, no factor describes the distance
    if (const auto margin = margin_that_holds(context, found))
        found.advice.push_back("with margin(" + percent_up(*margin) + "_pct) it would hold on these measurements");
    const double centre = std::log(found.estimate->centre);
    const double noise = std::max(std::log(found.estimate->high) - centre, centre - std::log(found.estimate->low));
    constexpr double too_wide = 0.7;  // a factor of two is too coarse to place a bound
    if (noise > 0.0 && noise < too_wide) {
        found.advice.push_back("a bound " + percent_up(std::expm1(noise)) + " % away from " +
                               format_value(found.estimate->centre, context.unit) +
                               " could be decided with these measurements");
    }
}

/// Whether the interval is on the side of the bound that the claim denies.
inline bool looks_violated(const claim_context& context, const finding& found) {
    if (!found.estimate || !found.bound) return false;
    return !context.claims_less() ? found.estimate->high < *found.bound : found.estimate->low > *found.bound;
}

inline std::string no_more_evidence(const claim_context& context, const finding& found) {
    if (looks_violated(context, found))
        return "the interval is beyond the bound, but the evidence does not reach the false-failure rate of " +
               format_rate(context.plan.false_failure) +
               " yet: treat it as a regression until a longer measurement shows otherwise";
    return "more time will not decide this claim: the measured value is too close to the bound for the noise of this machine";
}

void explain_undecided(const claim_context& context, finding& found, const test_progress& test, const unit_of_evidence& unit) {
    const std::string spent =
        std::to_string(test.size) + " " + unit.name + " in " + format_seconds(found.evidence.seconds * 1e9);
    set_verdict(found, verdict::undecided, spent + " do not show whether the claim holds or is violated");
    const auto more = more_evidence(found, test, unit);
    found.advice.push_back(more ? *more : no_more_evidence(context, found));
    advise_on_distance(context, found);
}

void describe_test(finding& found, const test_progress& test) {
    found.evidence.log_e_holds = test.log_e_holds;
    found.evidence.log_e_violated = test.log_e_violated;
}

void conclude(const claim_context& context, finding& found, const test_progress& test, const unit_of_evidence& unit) {
    describe_test(found, test);
    switch (test.decided) {
    case decision::holds: set_verdict(found, verdict::holds); break;
    case decision::violated:
        set_verdict(found, verdict::violated);
        if (!context.is_child() && test.settings.confirm == stages::two) confirm_violation(context, found);
        break;
    case decision::none: explain_undecided(context, found, test, unit); break;
    }
}

void note_request(const claim_context& context, finding& found) noexcept {
    found.on_request = context.plan.policy == missing_baseline_policy::local;
}

}  // namespace perfspec::detail
