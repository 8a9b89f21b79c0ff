// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/measuring.hpp>
#include <perfspec/judge/readings.hpp>
#include <perfspec/launch/earlier_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/quantity/format.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace perfspec::detail {

inline bool launches_tell_times(const question& asked) {
    const metric_kind m = asked.query.metric;
    return unit_of_samples(asked) == dimension::time && !needs_fresh_process(m) && !reports_own_value(m) &&
           traits_of(m).from != reading::sizes;
}

inline double shortest_call_ns(const question& asked, finding& found, const subject& x) {
    constexpr int calls = 3;
    const machine_scope machine(asked, found);
    double shortest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < calls; ++i)
        shortest = std::min(shortest, take_sample(x, 1, warm_call::yes, asked.context.around().wall).per_iteration());
    return shortest;
}

void require_earlier_state(const question& asked, finding& found, const launch_result& launch) {
    constexpr double another = 3.0;
    constexpr double worth_telling_ns = 10'000.0;
    if (!asked.context.has_measured_before() || !launches_tell_times(asked)) return;
    for (std::size_t i = 0; i < std::min(asked.subjects.size(), launch.subjects.size()); ++i) {
        const double there = launch.subjects[i].median;
        const double here = shortest_call_ns(asked, found, asked.subjects[i]);
        if (here <= another * there || here - there <= worth_telling_ns) continue;
        throw measurement_failure(
            failure_kind::worker_failed,
            "a call of \"" + asked.names.at(i) + "\" takes " + format_seconds(here) + " here and " +
                format_seconds(there) +
                " in a fresh process, which skips the assertions before this one: what they or their bodies create is missing there; "
                "create it before the first assertion, or in setup(make) of the subject");
    }
}

}  // namespace perfspec::detail
