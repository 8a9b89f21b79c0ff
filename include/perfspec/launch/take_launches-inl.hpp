// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/procedure.hpp>
#include <perfspec/judge/notes.hpp>
#include <perfspec/judge/progress.hpp>
#include <perfspec/judge/readings.hpp>
#include <perfspec/launch/earlier_state.hpp>
#include <perfspec/launch/fresh_process.hpp>
#include <perfspec/launch/layout.hpp>
#include <perfspec/launch/take_launches.hpp>
#include <perfspec/measure/coin.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/process/workers/worker.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/stats/layout.hpp>
#include <perfspec/stats/summary.hpp>
#include <perfspec/stored/stored_claim.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
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

/// Quantiles of the query's values in one launch, in rising order. A ratio's last summary is that of the pairs. A rate is small where its
/// time is long, so its upper quantiles come from short times.
inline launch_quantiles quantiles_of(const question& asked, const sample_summary& s) {
    if (!is_rate(asked.query.metric) || s.unit == dimension::ratio) return {s.q1, s.q3, s.p90, s.p99};
    const std::vector<double> times = s.strip.empty() ? std::vector{s.minimum, s.q1, s.median, s.q3} : s.strip;
    const auto rate = [&](double p) { return value_from_time(asked, quantile_of_sorted(times, 1.0 - p)); };
    return {rate(0.25), rate(0.75), rate(0.9), rate(0.99)};
}

/// A launch in its stored form, made from the fresh process's record.
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

/// Why a fresh process gave no launch: what it says itself, else what its end shows.
inline failure_kind kind_of(const child_evidence& child) {
    if (!child.answer) return kind_of_fault(child.fault);
    if (child.answer->verdict == verdict::not_judged) return failure_kind::unavailable;
    return child.answer->failure.value_or(failure_kind::worker_failed);
}

/// Takes one more fresh process.
inline launch_result launch_once(const question& asked, finding& found, const std::string& recording_session,
                                 const process_layout& layout) {
    const child_evidence child = ask_child(asked, found, child_task::launch, layout);
    found.evidence.seconds += child.seconds;
    if (child.answer) add_disturbances(found, child.answer->disturbed);
    if (!child.answer || child.answer->verdict == verdict::invalid || !child.answer->estimate) {
        throw measurement_failure(kind_of(child),
                                  "a fresh launch could not be measured: " + (child.answer ? child.answer->reason : child.fault));
    }
    add_notes(asked, found, *child.answer);
    return {launch_from(asked, *child.answer, recording_session),
            child.answer->subjects,
            child.answer->evidence.rounds,
            child.seconds,
            child.answer->evidence.exact,
            child.answer->parts,
            child.answer->disturbed.runnable,
            child.answer->disturbed.cores,
            child.answer->disturbed.gpus};
}

/// The layout of launches for a verdict: the system's own, or a drawn one.
inline process_layout layout_to_judge(const question& asked) { return probes_layouts(asked) ? draw_layout(asked) : process_layout{}; }

inline void require_random_addresses(const question& asked) {
    const file_text setting = asked.context.around().files.read("/proc/sys/kernel/randomize_va_space", 16);
    if (setting.text.starts_with('0'))
        throw input_error("--perf-layout has no effect on a system without random addresses: set kernel.randomize_va_space to 2");
}

/// Throws measurement_failure where the processes of both kinds take longer than the claim may.
inline void require_layouts_fit(const question& asked, double seconds_of_one) {
    const std::size_t processes = 2 * std::size_t{*asked.plan.layout};
    const double needed = seconds_of_one * static_cast<double>(processes);
    const double longest = std::chrono::duration<double>(std::max(asked.plan.cap, asked.plan.budget)).count();
    if (needed <= longest) return;
    throw measurement_failure(failure_kind::too_slow,
                              "too slow for the cap of " + format_seconds(longest * 1e9) + ": " + std::to_string(processes) +
                                  " processes need about " + format_seconds(needed * 1e9) + "; allow more with --perf-cap=" +
                                  std::to_string(static_cast<long>(std::ceil(1.2 * needed))) + "s, or leave out --perf-layout");
}

/// Takes launches with drawn layouts, which begin the series, and as many with one layout. They run in pairs in random order, so
/// drift affects both kinds alike.
inline void take_layouts(const question& asked, finding& found, launch_series& series) {
    require_random_addresses(asked);
    const double spent = found.evidence.seconds;
    coin order(asked.plan.seed.value_or(asked.context.around().draw_seed()));
    std::vector<double> same;
    std::vector<double> drawn;
    const auto take_same = [&] {
        same.push_back(positive_of_launch(asked, launch_once(asked, found, series.recording_session, one_layout()).launch.value));
    };
    while (drawn.size() < asked.plan.layout.value()) {
        const bool same_first = order.toss();
        if (same_first) take_same();
        launch_result launch = launch_once(asked, found, series.recording_session, draw_layout(asked));
        if (drawn.empty()) require_earlier_state(asked, found, launch);
        drawn.push_back(positive_of_launch(asked, launch.launch.value));
        series.launches.push_back(std::move(launch));
        if (!same_first) take_same();
        if (drawn.size() == 1) require_layouts_fit(asked, (found.evidence.seconds - spent) / 2.0);
        show_progress(asked, {.done = same.size() + drawn.size(),
                              .most = 2 * std::size_t{*asked.plan.layout},
                              .seconds = found.evidence.seconds - spent,
                              .may_end_sooner = false});
    }
    series.layout = effect_of_layout(same, drawn);
    series.layout->builds = 1 + other_link_orders(asked).size();
    series.layout->seconds = found.evidence.seconds - spent;
    found.evidence.seconds = spent;
}

launch_series& launches_of(const question& asked) { return asked.context.samples().launches[static_cast<std::size_t>(asked.side)]; }

/// The launches of this claim: none yet, unless one side of its tolerance was judged.
inline launch_series& series_of_launches(const question& asked, finding& found) {
    launch_series& series = launches_of(asked);
    if (series.recording_session.empty()) series.recording_session = asked.time + "/" + std::to_string(asked.context.around().draw_seed());
    if (probes_layouts(asked) && !series.layout) take_layouts(asked, found, series);
    return series;
}

/// Notes how many threads wanted to run beside a launch. It counts the launch as overcommitted only where its value grows when threads take
/// turns: times by the wall clock.
inline void note_turns(const question& asked, finding& found, const launch_result& launch) {
    const reading from = traits_of(asked.query.metric).from;
    disturbances& seen = found.disturbed;
    seen.runnable = std::max(seen.runnable, launch.runnable);
    seen.cores = std::max(seen.cores, launch.cores);
    if (from != reading::wall_clock && from != reading::first_run) return;
    if (is_overcommitted(launch.runnable, launch.cores)) ++seen.overcommitted;
}

/// Counts a launch whose GPU was slowed down, where its value is a time that grows with that.
inline void note_slow_gpu(const question& asked, finding& found, const launch_result& launch) {
    const reading from = traits_of(asked.query.metric).from;
    if (from != reading::wall_clock && from != reading::first_run && from != reading::device_clock) return;
    if (slowdown_of(launch.gpus) > 1.0) ++found.disturbed.slowed_gpu;
}

stored_launch take_launch_at(const question& asked, finding& found, std::size_t index) {
    launch_series& series = series_of_launches(asked, found);
    if (index == series.launches.size()) {
        launch_result fresh = launch_once(asked, found, series.recording_session, layout_to_judge(asked));
        if (index == 0) require_earlier_state(asked, found, fresh);
        series.launches.push_back(std::move(fresh));
    } else {
        found.evidence.seconds += series.launches[index].seconds;
        add_disturbances(found, {.gpus = series.launches[index].gpus});
    }
    const launch_result& taken = series.launches[index];
    found.subjects = taken.subjects;
    found.evidence.launches += 1;
    found.evidence.rounds += taken.rounds;
    note_turns(asked, found, taken);
    note_slow_gpu(asked, found, taken);
    return taken.launch;
}

stored_launch take_launch(const question& asked, finding& found) { return take_launch_at(asked, found, found.evidence.launches); }

double take_launch_aside(const question& asked, finding& found) {
    return launch_once(asked, found, launches_of(asked).recording_session, {}).launch.value;
}

layout_effect effect_of_layouts(const question& asked, finding& found) { return series_of_launches(asked, found).layout.value(); }

std::vector<stored_launch> take_launches(const question& asked, finding& found, std::size_t count) {
    std::vector<stored_launch> launches;
    while (launches.size() < count) {
        launches.push_back(take_launch(asked, found));
        show_progress(asked, {.done = launches.size(), .most = count, .seconds = found.evidence.seconds, .may_end_sooner = false});
    }
    return launches;
}

}  // namespace perfspec::detail
