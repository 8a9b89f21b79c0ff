// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/notes.hpp>
#include <perfspec/judge/readings.hpp>
#include <perfspec/judge/sharing.hpp>
#include <perfspec/launch/earlier_state.hpp>
#include <perfspec/launch/fresh_process.hpp>
#include <perfspec/launch/take_launches.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/stats/summary.hpp>
#include <perfspec/stored/stored_claim.hpp>

#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {

struct launch_quantiles {
    double q1;
    double q3;
    double p90;
    double p99;
};

/// Quantiles of the query's values in one launch, rising. Of a ratio the last summary is that of the pairs; a rate is small where its time is
/// long, so that its upper quantiles are those of short times.
inline launch_quantiles quantiles_of(const question& asked, const sample_summary& s) {
    if (!is_rate(asked.query.metric) || s.unit == dimension::ratio) return {s.q1, s.q3, s.p90, s.p99};
    const std::vector<double> times = s.strip.empty() ? std::vector{s.minimum, s.q1, s.median, s.q3} : s.strip;
    const auto rate = [&](double p) { return value_from_time(asked, quantile_of_sorted(times, 1.0 - p)); };
    return {rate(0.25), rate(0.75), rate(0.9), rate(0.99)};
}

/// A launch as it is stored, from what the fresh process reported.
inline stored_launch launch_from(const question& asked, const record& answer, const std::string& recording_session) {
    stored_launch l;
    l.value = answer.estimate->centre;
    l.when = answer.time;
    l.commit = asked.context.origin().commit;
    l.run = asked.context.origin().run_id;
    l.recording_session = recording_session;
    l.samples = answer.evidence.rounds;
    if (answer.subjects.empty()) return l;
    l.iterations = answer.subjects.front().iterations;
    const launch_quantiles q = quantiles_of(asked, answer.subjects.back());
    l.q1 = q.q1;
    l.q3 = q.q3;
    l.p90 = q.p90;
    l.p99 = q.p99;
    return l;
}

/// One fresh process more.
inline launch_result launch_once(const question& asked, finding& found, const std::string& recording_session) {
    const child_evidence child = ask_child(asked, found, child_task::launch);
    found.evidence.seconds += child.seconds;
    if (child.answer) add_disturbances(found, child.answer->disturbed);
    if (!child.answer || child.answer->verdict == verdict::invalid || !child.answer->estimate) {
        const bool cannot = child.answer && child.answer->verdict == verdict::not_judged;
        throw measurement_failure(cannot ? failure_kind::unavailable : failure_kind::worker_failed,
                                  "a fresh launch could not be measured: " + (child.answer ? child.answer->reason : child.fault));
    }
    add_notes(asked, found, *child.answer);
    return {launch_from(asked, *child.answer, recording_session),
            child.answer->subjects,
            child.answer->evidence.rounds,
            child.seconds,
            child.answer->evidence.exact,
            child.answer->parts};
}

/// Whether fresh launches are like those of a series.
inline bool are_launches_unchanged(const question& asked, finding& found, const launch_series& series) {
    std::vector<double> values;
    for (const launch_result& l : series.launches) values.push_back(positive_of_launch(asked, l.launch.value));
    std::vector<double> fresh;
    while (fresh.size() < fresh_samples_to_share)
        fresh.push_back(positive_of_launch(asked, launch_once(asked, found, series.recording_session).launch.value));
    return are_alike(fresh, values);
}

/// The launches that this claim is judged by: those of an earlier claim, where nothing has changed since, or none yet.
inline launch_series& series_of_launches(const question& asked, finding& found) {
    launch_series& series = launches_of(asked);
    if (!may_share(asked, found, series.users, [&] { return are_launches_unchanged(asked, found, series); })) series = {};
    use_series(asked, series.users);
    if (series.recording_session.empty()) series.recording_session = asked.time + "/" + std::to_string(asked.context.around().draw_seed());
    return series;
}

stored_launch take_launch_at(const question& asked, finding& found, std::size_t index) {
    launch_series& series = series_of_launches(asked, found);
    if (index == series.launches.size()) {
        launch_result fresh = launch_once(asked, found, series.recording_session);
        if (index == 0) require_earlier_state(asked, found, fresh);
        series.launches.push_back(std::move(fresh));
    } else {
        found.evidence.seconds += series.launches[index].seconds;
        found.evidence.shared_seconds += series.launches[index].seconds;
    }
    const launch_result& taken = series.launches[index];
    found.subjects = taken.subjects;
    found.evidence.launches += 1;
    found.evidence.rounds += taken.rounds;
    return taken.launch;
}

stored_launch take_launch(const question& asked, finding& found) { return take_launch_at(asked, found, found.evidence.launches); }

double take_launch_aside(const question& asked, finding& found) {
    return launch_once(asked, found, launches_of(asked).recording_session).launch.value;
}

std::vector<stored_launch> take_launches(const question& asked, finding& found, std::size_t count) {
    std::vector<stored_launch> launches;
    while (launches.size() < count) launches.push_back(take_launch(asked, found));
    return launches;
}

}  // namespace perfspec::detail
