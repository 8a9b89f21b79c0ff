// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/against_baseline/stored_claim.hpp>
#include <perfspec/judge/claim_context.hpp>
#include <perfspec/judge/conclude.hpp>
#include <perfspec/judge/minimum_evidence.hpp>
#include <perfspec/judge/procedure.hpp>
#include <perfspec/judge/processes/launch_centres.hpp>
#include <perfspec/judge/processes/take_launches.hpp>
#include <perfspec/judge/progress.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/stats/sequential.hpp>
#include <perfspec/stats/spread.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {

centre_interval interval_of_launches(claim_result& result, std::span<const double> log_values) {
    const centre_interval interval = signed_rank_interval(log_values);
    if (std::isfinite(interval.low) && std::isfinite(interval.high)) return interval;
    result.evidence.method += "; shown is the range of " + std::to_string(log_values.size()) +
                              " launches: an interval at " + format_percentage(interval.level) + " takes " +
                              std::to_string(centre_interval::minimum) + " at least";
    const auto [low, high] = std::ranges::minmax(log_values);
    return {.low = low, .centre = interval.centre, .high = high, .level = 0.0};
}

estimate estimate_of_launches(claim_result& result, std::span<const double> log_values) {
    const centre_interval interval = interval_of_launches(result, log_values);
    return {std::exp(interval.centre), std::exp(median(log_values)), std::exp(interval.low), std::exp(interval.high),
            interval.level};
}

}  // namespace perfspec::detail

// Judges relative claims over fresh processes, `launches(n)`: the centre of each launch's pairs goes into the
// sequential test (stats/README.md, "Launches"). It is for unlike subjects, where the ratio differs from process to
// process.

namespace perfspec::detail {

void judge_launches(const claim_context& context, claim_result& result) {
    const double bound = context.ratio_bound();
    result.bound = bound;
    const auto [settings, minimum] = limits_of_launches(context);
    sequential test(settings);
    result.evidence.approximate = true;  // no coin decides on which side of the bound a process falls
    result.evidence.method = "centres of fresh launches, " + std::string(sequential::method);
    const std::size_t maximum = settings.max_size;
    std::vector<double> values;
    drive(test, [&, at_least = minimum](std::size_t taken) -> std::optional<double> {
        if (!allows_another_launch(context, result, taken, at_least)) return {};
        values.push_back(std::log(take_launch(context, result).value));
        show_progress(context, {.done = taken + 1,
                                .most = maximum,
                                .seconds = result.evidence.seconds,
                                .is_capped = true,
                                .test = test.progress()});
        return context.sign() * (values.back() - std::log(bound));
    });
    result.estimate = estimate_of_launches(result, values);
    conclude(context, result, test.progress(),
             {"launches", result.evidence.seconds / static_cast<double>(test.size()), maximum, maximum});
}

const procedure centres_of_launches{"centres of fresh launches",
                                    [](const claim_context& context) {
                                        return is_clocked_pair(context) && over_launches(context) &&
                                               !needs_single_iterations(context.query);
                                    },
                                    judge_launches};

}  // namespace perfspec::detail

// Judges the spread between launches by a fixed number of fresh processes and the signs of their distances from
// their median (stats/spread.hpp).

namespace perfspec::detail {

/// The number of launches that the option asks for, else the default.
/// Throws input_error where they are too few for a spread, or too few to show that the claim is violated.
inline std::size_t launches_for_spread(const claim_context& context) {
    const bool judges = context.is_bounded();
    const std::size_t minimum =
        judges ? spread_test{.false_failure = context.plan.false_failure}.min_size_to_violate() : 0;
    if (!over_launches(context)) return std::max(launches_of_a_spread, minimum);
    const std::string given = "launches(" + std::to_string(*context.plan.launches) + ")";
    if (*context.plan.launches < min_launches_of_a_spread)
        throw input_error(given + ": a spread needs " + std::to_string(min_launches_of_a_spread) +
                          " launches at least: write launches(" +
                          std::to_string(std::max(launches_of_a_spread, minimum)) + "), or leave it out");
    if (*context.plan.launches < minimum)
        throw input_error(given + " cannot show that this claim is violated: at its false-failure rate that takes " +
                          std::to_string(minimum) + "; write launches(" + std::to_string(minimum) +
                          "), or leave it out");
    return *context.plan.launches;
}

/// The bound of the claim; 0 without one. Throws input_error for a bound that no spread can be compared with.
inline double bound_of_a_spread(const claim_context& context) {
    if (!context.is_bounded()) return 0.0;
    const double bound = context.value();
    if (bound > 0.0 && std::isfinite(bound)) return bound;
    throw input_error("a spread is compared with a percentage above 0, such as 7_pct");
}

void judge_stability(const claim_context& context, claim_result& result) {
    const bool judges = context.is_bounded();
    const double bound = bound_of_a_spread(context);
    std::vector<double> values;
    for (const stored_launch& l : take_launches(context, result, launches_for_spread(context)))
        values.push_back(l.value);
    const std::size_t launches = values.size();
    const launch_spread seen = spread_of(values);
    result.estimate = estimate{seen.spread, seen.spread, seen.low, seen.high, seen.level};
    result.evidence.method = std::string(launch_spread::method);
    result.subjects = {summary_of(context.names.front(), std::move(values), 1)};
    if (!judges) return set_verdict(result, verdict::holds);
    result.bound = bound;
    result.evidence.approximate = true;  // the distances are from the median of the same launches
    result.evidence.method += "; " + std::string(spread_test::method);
    const spread_test test{context.plan.margin, context.plan.false_failure, context.plan.false_pass};
    switch (test.decide(seen.distances, context.claims_less() ? direction::less : direction::more, bound)) {
    case decision::holds: return set_verdict(result, verdict::holds);
    case decision::violated: return set_verdict(result, verdict::violated);
    case decision::none: break;
    }
    set_verdict(result, verdict::undecided,
                std::to_string(launches) + " launches do not show whether the spread is within the bound or beyond it");
    result.advice.push_back("more launches can decide closer bounds: launches(" + std::to_string(2 * launches) + ")");
}

void require_spread(const claim_context& context) {
    static_cast<void>(bound_of_a_spread(context));
    static_cast<void>(launches_for_spread(context));
}

const procedure spread_of_launches{
    "the spread of fresh launches",
    [](const claim_context& context) { return traits_of(context.query.metric).from == reading::processes; },
    judge_stability};

}  // namespace perfspec::detail
