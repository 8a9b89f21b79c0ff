// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Values that are known before the program runs, such as the time of compiling: one number each, compared as it is. No
// body runs.

#include <perfspec/ask/procedures.hpp>
#include <perfspec/judge/counting.hpp>
#include <perfspec/judge/procedures/declared.hpp>
#include <perfspec/judge/readings.hpp>
#include <perfspec/language/subjects/subject_state.hpp>

namespace perfspec::detail {

double declared_value(const subject& x) {
    const subject_state& state = x.state();
    return state.ask_declared != nullptr ? state.ask_declared(x.storage()) : state.compile_ns;
}

/// Precondition: the subjects have values, as reason_of_subjects says.
inline void judge_declared(const question& asked, finding& found) {
    if (asked.is_against_query()) static_cast<void>(ratio_of(asked));  // throws for two queries that cannot be compared
    const double value = declared_value(asked.query.subjects[0]);
    found.subjects = {summary_of(asked.names[0], {value}, 1, asked.query.unit)};
    double bound = 0.0;
    if (asked.is_against_query()) {
        const double other = declared_value(asked.other().subjects[0]);
        found.subjects.push_back(summary_of(asked.names[1], {other}, 1, asked.query.unit));
        found.bound_text = counted_bound_text(asked, other);
        bound = asked.against().factor * other;
    } else {
        bound = asked.value();
    }
    describe_exact(asked, found, value, bound);
    found.evidence.rounds = 1;
    found.evidence.method = declared_method;
    set_verdict(found, satisfies(asked.compared(), value, bound) ? verdict::holds : verdict::violated);
}

const procedure known_values{
    declared_method,
    [](const question& asked) { return is_judged_by_itself(asked) && is_declared(asked.query.metric); },
    judge_declared};

}  // namespace perfspec::detail
