// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The spread between launches: a fixed number of fresh processes, and the signs of their distances from their median (stats/stability.hpp).

#include <perfspec/quantity/error.hpp>
#include <perfspec/run/judge_launches-inl.hpp>
#include <perfspec/run/sharing.hpp>
#include <perfspec/stats/stability.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {

/// As many as asked for. Throws input_error for so few that they say nothing of a spread, or cannot show that the claim is violated.
inline std::size_t launches_for_spread(const evaluation& e) {
    const bool judges = e.tree().bound != bound_kind::none;
    const std::size_t fewest = judges ? spread_test{.false_failure = e.plan.false_failure}.fewest_to_violate() : 0;
    if (!over_launches(e)) return std::max(launches_of_a_spread, fewest);
    const std::string asked = "launches(" + std::to_string(*e.plan.launches) + ")";
    if (*e.plan.launches < fewest_launches_of_a_spread)
        throw input_error(asked + ": a spread needs " + std::to_string(fewest_launches_of_a_spread) +
                          " launches at least: write launches(" + std::to_string(std::max(launches_of_a_spread, fewest)) +
                          "), or leave it out");
    if (*e.plan.launches < fewest)
        throw input_error(asked + " cannot show that this claim is violated: at its false-failure rate that takes " +
                          std::to_string(fewest) + "; write launches(" + std::to_string(fewest) + "), or leave it out");
    return *e.plan.launches;
}

void judge_stability(evaluation& e) {
    const bool judges = e.tree().bound != bound_kind::none;
    const double bound = e.tree().value;
    if (judges && (!(bound > 0.0) || !std::isfinite(bound)))
        return set_verdict(e, verdict::invalid, "a spread is compared with a percentage above 0, such as 7_pct");
    std::vector<double> values;
    for (const stored_launch& l : take_launches(e, launches_for_spread(e))) values.push_back(l.value);
    if (!e.out.reason.empty()) return;  // a launch could not be measured
    const std::size_t launches = values.size();
    const launch_spread seen = spread_of(values);
    e.out.measured = estimate{seen.spread, seen.spread, seen.low, seen.high, seen.level};
    e.out.evidence.method = std::string(launch_spread::method);
    e.out.subjects = {summary_of(e.names.front(), std::move(values), 1)};
    if (!judges) return set_verdict(e, verdict::holds);
    e.out.bound = bound;
    e.out.evidence.approximate = true;  // the median that distances are taken from is the launches' own
    e.out.evidence.method += "; " + std::string(spread_test::method);
    const spread_test test{e.plan.margin, e.plan.false_failure, e.plan.false_pass};
    switch (test.decide(seen.distances, sign_of(e.tree().compared) < 0.0 ? direction::less : direction::more, bound)) {
    case decision::holds: return set_verdict(e, verdict::holds);
    case decision::violated: return set_verdict(e, verdict::violated);
    case decision::none: break;
    }
    set_verdict(e, verdict::undecided,
                std::to_string(launches) + " launches show neither that the spread is within the bound nor that it is beyond");
    e.out.advice.push_back("more launches tell closer bounds: launches(" + std::to_string(2 * launches) + ")");
}

}  // namespace perfspec::detail
