// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/sample.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/run/earlier_state.hpp>
#include <perfspec/run/measuring.hpp>
#include <perfspec/run/naming.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace perfspec::detail {

inline bool have_bodies_run_before(const evaluation& e) {
    const shared_samples& taken = e.context.samples();
    return !taken.pairs.empty() || !taken.blocks.empty() || !taken.counts.empty();
}

inline bool launches_tell_times(const evaluation& e) {
    const metric_kind m = e.query().measured;
    return unit_of_samples(e) == dimension::time && !needs_fresh_process(m) && !is_told_by_body(m) && m != metric_kind::growth;
}

inline double shortest_call_ns(evaluation& e, const subject& x) {
    constexpr int calls = 3;
    const machine_scope machine(e);
    double shortest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < calls; ++i)
        shortest = std::min(shortest, take_sample(x, 1, warm_call::yes, e.context.around().wall).per_iteration());
    return shortest;
}

std::optional<std::string> missing_earlier_state(evaluation& e, const launch_result& launch) {
    constexpr double another = 3.0;
    constexpr double worth_telling_ns = 10'000.0;
    if (!have_bodies_run_before(e) || !launches_tell_times(e)) return {};
    const std::vector<subject> subjects = subjects_of(e.tree());
    for (std::size_t i = 0; i < std::min(subjects.size(), launch.subjects.size()); ++i) {
        const double there = launch.subjects[i].median;
        const double here = shortest_call_ns(e, subjects[i]);
        if (here <= another * there || here - there <= worth_telling_ns) continue;
        return "a call of \"" + e.names.at(i) + "\" takes " + format_seconds(here) + " here and " + format_seconds(there) +
               " in a fresh process, which passes over the assertions before this one: what they or their bodies make is missing there; make "
               "it before the first assertion, or in setup(make) of the subject";
    }
    return {};
}

}  // namespace perfspec::detail
