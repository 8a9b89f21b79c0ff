// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Judges simulated counts (stats/README.md, "Simulated counts"): processes that agree are compared exactly. Where they
// differ, because of threads, addresses or clocks, their values are judged as those of other fresh processes are.

#include <perfspec/ask/procedures.hpp>
#include <perfspec/judge/counting.hpp>
#include <perfspec/judge/progress.hpp>
#include <perfspec/launch/fresh_values-inl.hpp>
#include <perfspec/launch/simulation.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace perfspec::detail {

/// "96025, 96025, 96031".
inline std::string list_of_counts(const question& asked, const std::vector<double>& values) {
    std::string text;
    for (const double v : values) text += (text.empty() ? "" : ", ") + format_value(v, asked.query.unit);
    return text;
}

inline std::vector<part_value> parts_of_side(const question& asked, compared_side of) {
    question one = asked;
    one.side = of;
    return launches_of(one).launches.front().parts;
}

/// Names the functions behind a violated claim: those that differ most between two subjects, or the largest ones.
inline void name_functions(const question& asked, finding& found) {
    if (found.verdict != verdict::violated) return;
    const std::vector<part_value> now = parts_of_side(asked, compared_side::first);
    found.parts = asked.is_relative() ? moved_functions(parts_of_side(asked, compared_side::second), now)
                                      : largest_functions(now);
}

inline void compare_simulated(const question& asked, finding& found, const fresh_values& values) {
    const double value = values.sides[0].front();
    const double bound = asked.is_against_query() ? asked.against().factor * values.sides[1].front() : asked.value();
    require_bound_of_counts(asked, bound);
    describe_exact(asked, found, value, bound);
    if (asked.is_against_query()) found.bound_text = counted_bound_text(asked, values.sides[1].front());
    found.evidence.method = "exact comparison of processes on a simulated processor";
    set_verdict(found, satisfies(asked.compared(), value, bound) ? verdict::holds : verdict::violated);
}

/// Judges processes that differ. No value equals all of them.
inline void judge_differing(const question& asked, finding& found, const fresh_values& values,
                            const evidence_counts& before) {
    const bool never = !asked.is_against_query() && asked.value() == 0.0 && asked.claims_less();
    if (asked.compared() == comparison::equal || never) {
        describe_exact(asked, found, *std::ranges::max_element(values.sides[0]), never ? 0.0 : values.sides[0].front());
        if (!asked.is_against_query()) found.bound = asked.value();
        return set_verdict(found, verdict::violated, "the processes differ: " + list_of_counts(asked, values.sides[0]));
    }
    found.evidence = before;  // the test counts these processes again, as its first ones
    judge_fresh(asked, found);
}

inline void judge_simulated(const question& asked, finding& found) {
    if (asked.is_against_query()) static_cast<void>(ratio_of(asked));  // throws for two queries that cannot be compared
    const evidence_counts before = found.evidence;
    coin order(seed_of(asked));
    fresh_values values;
    while (values.sides[0].size() < simulations_that_agree(asked.plan)) {
        take_fresh_values(asked, found, values, order);
        show_progress(asked, {.done = values.sides[0].size(),
                              .most = simulations_that_agree(asked.plan),
                              .seconds = found.evidence.seconds});
    }
    describe_fresh(asked, found, values);
    do_agree(values.sides[0]) && do_agree(values.sides[1]) ? compare_simulated(asked, found, values)
                                                           : judge_differing(asked, found, values, before);
    name_functions(asked, found);
}

const procedure simulated_counts{
    "exact comparison of a few processes on a simulated processor; statistics where they vary",
    [](const question& asked) { return is_judged_by_itself(asked) && is_simulated(asked.query.metric); },
    judge_simulated};

}  // namespace perfspec::detail
