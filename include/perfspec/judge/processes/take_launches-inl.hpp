// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/against_baseline/stored_claim.hpp>
#include <perfspec/judge/measuring.hpp>
#include <perfspec/judge/notes.hpp>
#include <perfspec/judge/procedure.hpp>
#include <perfspec/judge/processes/fresh_process.hpp>
#include <perfspec/judge/processes/take_launches.hpp>
#include <perfspec/judge/progress.hpp>
#include <perfspec/judge/readings.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/process/workers/worker.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {

inline bool launches_tell_times(const claim_context& context) {
    const metric_kind m = context.query.metric;
    return unit_of_samples(context) == dimension::time && !needs_fresh_process(m) && !reports_own_value(m) &&
           traits_of(m).from != reading::sizes;
}

inline double shortest_call_ns(const claim_context& context, claim_result& result, const subject& x) {
    constexpr int calls = 3;
    const machine_scope machine(context, result);
    double shortest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < calls; ++i)
        shortest = std::min(shortest, take_sample(x, 1, warm_call::yes, context.run.system().wall).per_iteration());
    return shortest;
}

void require_earlier_state(const claim_context& context, claim_result& result, const launch_result& launch) {
    constexpr double another = 3.0;
    constexpr double worth_telling_ns = 10'000.0;
    if (!context.run.has_measured_before() || !launches_tell_times(context)) return;
    for (std::size_t i = 0; i < std::min(context.subjects.size(), launch.subjects.size()); ++i) {
        const double there = launch.subjects[i].median;
        const double here = shortest_call_ns(context, result, context.subjects[i]);
        if (here <= another * there || here - there <= worth_telling_ns) continue;
        throw measurement_failure(
            failure_kind::worker_failed,
            "a call of \"" + context.names.at(i) + "\" takes " + format_seconds(here) + " here and " +
                format_seconds(there) +
                " in a fresh process, which skips the assertions before this one: what they or their bodies create is missing there; "
                "create it before the first assertion, or in setup(make) of the subject");
    }
}

struct launch_quantiles {
    double q1;
    double q3;
    double p90;
    double p99;
};

/// Quantiles of the query's values in one launch, in rising order. A ratio's last summary is that of the pairs. A rate
/// is small where its time is long, so its upper quantiles come from short times.
inline launch_quantiles quantiles_of(const claim_context& context, const sample_summary& s) {
    if (!is_rate(context.query.metric) || s.unit == dimension::ratio) return {s.q1, s.q3, s.p90, s.p99};
    const std::vector<double> times = s.strip.empty() ? std::vector{s.minimum, s.q1, s.median, s.q3} : s.strip;
    const auto rate = [&](double p) { return value_from_time(context, quantile_of_sorted(times, 1.0 - p)); };
    return {rate(0.25), rate(0.75), rate(0.9), rate(0.99)};
}

/// A launch in its stored form, made from the fresh process's record.
inline stored_launch launch_from(const claim_context& context, const record& answer,
                                 const std::string& recording_session) {
    stored_launch l;
    l.value = answer.estimate->centre;
    l.when = answer.time;
    l.commit = context.run.origin().commit;
    l.run = context.run.origin().run_id;
    l.recording_session = recording_session;
    l.samples = answer.evidence.rounds;
    if (answer.subjects.empty()) return l;
    l.iterations = answer.subjects.front().iterations;
    const launch_quantiles q = quantiles_of(context, answer.subjects.back());
    l.q1 = q.q1;
    l.q3 = q.q3;
    l.p90 = q.p90;
    l.p99 = q.p99;
    return l;
}

/// Why a fresh process gave no launch: what it says itself, else what its end shows.
inline failure_kind kind_of(const child_evidence& child) {
    if (!child.answer) return kind_of_fault(child.fault);
    if (child.answer->verdict == verdict::not_judged) return failure_kind::unavailable;
    return child.answer->failure.value_or(failure_kind::worker_failed);
}

/// Takes one more fresh process.
inline launch_result launch_once(const claim_context& context, claim_result& result,
                                 const std::string& recording_session) {
    const child_evidence child = ask_child(context, result, child_task::launch);
    result.evidence.seconds += child.seconds;
    if (child.answer) add_disturbances(result, child.answer->disturbed);
    if (!child.answer || child.answer->verdict == verdict::invalid || !child.answer->estimate) {
        throw measurement_failure(kind_of(child), "a fresh launch could not be measured: " +
                                                      (child.answer ? child.answer->reason : child.fault));
    }
    add_notes(context, result, *child.answer);
    return {launch_from(context, *child.answer, recording_session),
            child.answer->subjects,
            child.answer->evidence.rounds,
            child.seconds,
            child.answer->evidence.exact,
            child.answer->parts,
            child.answer->disturbed.runnable,
            child.answer->disturbed.cores,
            child.answer->disturbed.devices};
}

launch_series& launches_of(const claim_context& context) {
    return context.run.samples().launches[static_cast<std::size_t>(context.side)];
}

/// The launches of this claim: none yet, unless one side of its tolerance was judged.
inline launch_series& series_of_launches(const claim_context& context) {
    launch_series& series = launches_of(context);
    if (series.recording_session.empty())
        series.recording_session = context.time + "/" + std::to_string(context.run.system().draw_seed());
    return series;
}

/// Notes how many threads wanted to run beside a launch. It counts the launch as overcommitted only where its value
/// grows when threads take turns: times by the wall clock.
inline void note_turns(const claim_context& context, claim_result& result, const launch_result& launch) {
    const reading from = traits_of(context.query.metric).from;
    disturbances& seen = result.disturbed;
    seen.runnable = std::max(seen.runnable, launch.runnable);
    seen.cores = std::max(seen.cores, launch.cores);
    if (from != reading::wall_clock && from != reading::first_run) return;
    if (is_overcommitted(launch.runnable, launch.cores)) ++seen.overcommitted;
}

/// Counts a launch whose device was slowed down, where its value is a time that grows with that.
inline void note_slow_device(const claim_context& context, claim_result& result, const launch_result& launch) {
    const reading from = traits_of(context.query.metric).from;
    if (from != reading::wall_clock && from != reading::first_run && from != reading::device_clock) return;
    if (slowdown_of(launch.devices) > 1.0) ++result.disturbed.slowed_device;
}

stored_launch take_launch_at(const claim_context& context, claim_result& result, std::size_t index) {
    launch_series& series = series_of_launches(context);
    if (index == series.launches.size()) {
        launch_result fresh = launch_once(context, result, series.recording_session);
        if (index == 0) require_earlier_state(context, result, fresh);
        series.launches.push_back(std::move(fresh));
    } else {
        result.evidence.seconds += series.launches[index].seconds;
        add_disturbances(result, {.devices = series.launches[index].devices});
    }
    const launch_result& taken = series.launches[index];
    result.subjects = taken.subjects;
    result.evidence.launches += 1;
    result.evidence.rounds += taken.rounds;
    note_turns(context, result, taken);
    note_slow_device(context, result, taken);
    return taken.launch;
}

stored_launch take_launch(const claim_context& context, claim_result& result) {
    return take_launch_at(context, result, result.evidence.launches);
}

double take_launch_aside(const claim_context& context, claim_result& result) {
    return launch_once(context, result, launches_of(context).recording_session).launch.value;
}

std::vector<stored_launch> take_launches(const claim_context& context, claim_result& result, std::size_t count) {
    std::vector<stored_launch> launches;
    while (launches.size() < count) {
        launches.push_back(take_launch(context, result));
        show_progress(
            context,
            {.done = launches.size(), .most = count, .seconds = result.evidence.seconds, .may_end_sooner = false});
    }
    return launches;
}

}  // namespace perfspec::detail
