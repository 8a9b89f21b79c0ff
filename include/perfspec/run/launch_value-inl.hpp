// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The value of one launch (stats/README.md, "Stored launches"), and queries that are only measured.

#include <perfspec/measure/cold_start.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/launch_sample.hpp>
#include <perfspec/run/confirm.hpp>
#include <perfspec/run/counting.hpp>
#include <perfspec/run/evaluation.hpp>
#include <perfspec/run/judge_value_pairs-inl.hpp>
#include <perfspec/run/measuring.hpp>
#include <perfspec/run/notes.hpp>
#include <perfspec/run/observe.hpp>
#include <perfspec/stats/hodges_lehmann.hpp>
#include <perfspec/stats/percentile.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {

inline void measure_ratio_value(evaluation& e) {
    const time_ratio r = ratio_of(e);
    const std::uint64_t seed = e.is_child() ? e.context.child()->seed : e.plan.seed.value_or(e.context.around().draw_seed());
    const launch_pairs taken = measure_launch(r.numerator, r.denominator, settings_of(e, r.measured), seed, clocks_for(e, r.measured));
    pair_series series{.calibration = taken.calibration, .seed = seed, .pairs = taken.pairs, .spent_ns = 0.0};
    describe_pairs(e, r, r.log_factor, series, series.pairs.size());
    note_calls(e, r, taken.calibration);
    std::vector<double> ratios;
    for (const timed_pair& p : series.pairs) ratios.push_back(std::exp(p.log_ratio() + r.log_factor));
    sample_summary of_pairs = summary_of(e.out.query, std::move(ratios), taken.calibration.a.iterations);
    of_pairs.unit = dimension::ratio;
    e.out.subjects.push_back(std::move(of_pairs));
    e.out.evidence.method = "Hodges-Lehmann centre of pairs in random order";
}

/// A percentile needs its thousand iterations; a median of thirty samples is good.
inline launch_limits limits_of(const evaluation& e) {
    if (!needs_single_iterations(e.query())) return {};
    const auto fewest = static_cast<std::uint32_t>(std::max(fewest_percentile_iterations, 10 * percentile_block(percentile_level(e))));
    launch_limits limits;
    limits.samples = fewest;
    limits.fewest = fewest;
    return limits;
}

/// What a query takes of the times of a launch, with what lies around it, nanoseconds.
struct launch_statistic {
    double value;
    double low;
    double high;
    std::string method;
};

/// The percentile of all iterations, and the quartiles of those of blocks in a row, widened to hold it: a burst that hits few blocks moves it alone.
inline launch_statistic percentile_of_launch(const std::vector<double>& times, double level) {
    const std::size_t length = percentile_block(level);
    std::vector<double> blocks;
    for (std::size_t i = 0; i + length <= times.size(); i += length) blocks.push_back(percentile_of({&times[i], length}, level));
    const summary s = summarize(blocks);
    const double value = percentile_of(times, level);
    return {value, std::min(s.lower_quartile, value), std::max(s.upper_quartile, value),
            "percentile of single iterations, with the quartiles of blocks of " + std::to_string(length)};
}

inline launch_statistic statistic_of_launch(const evaluation& e, const launch_times& taken) {
    if (needs_single_iterations(e.query())) return percentile_of_launch(taken.samples_ns, percentile_level(e));
    const summary s = summarize(taken.samples_ns);
    if (e.query().measured == metric_kind::throughput) {
        const double mean = mean_of(taken.samples_ns);
        return {mean, std::min(s.lower_quartile, mean), std::max(s.upper_quartile, mean), "mean of samples, with their quartiles"};
    }
    if (e.query().taken == statistic::minimum)
        return {s.minimum, s.minimum, s.lower_quartile, "minimum of samples, and their lower quartile"};
    return {taken.median_ns, s.lower_quartile, s.upper_quartile, "median of samples, with their quartiles"};
}

inline void measure_time_value(evaluation& e) {
    const query_description& q = e.query();
    launch_times taken = measure_launch(q.subjects[0], settings_of(e, q.measured), clocks_for(e, q.measured), limits_of(e));
    note_calls(e, q.subjects[0], e.names[0], taken.calibration.x);
    const launch_statistic found = statistic_of_launch(e, taken);
    const auto [low, high] = std::minmax({value_from_time(e, found.low), value_from_time(e, found.high)});
    const double value = value_from_time(e, found.value);
    e.out.measured = estimate{value, value, low, high, 0.0};
    e.out.evidence.rounds = taken.samples_ns.size();
    e.out.evidence.method = found.method;
    e.out.subjects = {summary_of(e.names.front(), std::move(taken.samples_ns), taken.calibration.x.iterations)};
    e.out.subjects.front().unit = unit_of_samples(e);
}

/// False where the count differs from run to run; then it is sampled as a time is.
inline bool measure_settled_count(evaluation& e) {
    const counted_runs runs = count_runs(e, e.query().subjects[0]);
    const std::optional<double> value = runs.settled();
    if (!value) return false;
    e.out.measured = estimate{*value, *value, *value, *value, 0.0};
    e.out.subjects = {summary_of_runs(e, e.names.front(), runs)};
    e.out.evidence.rounds = runs.counts.size();
    e.out.evidence.exact = true;
    e.out.evidence.method = "runs that counted the same";
    return true;
}

/// The centre of thirty pairs.
inline void measure_told_ratio(evaluation& e) {
    const time_ratio r = ratio_of(e);
    e.out.evidence.seed = e.is_child() ? e.context.child()->seed : e.plan.seed.value_or(e.context.around().draw_seed());
    coin order(e.out.evidence.seed);
    run_untimed(r.numerator, 1);
    run_untimed(r.denominator, 1);
    std::vector<told_pair> pairs;
    while (pairs.size() < comfortable_pairs) pairs.push_back(take_told_pair(r, settings_of(e, r.measured).samples, order));
    describe_told_pairs(e, pairs);
    e.out.evidence.method = "Hodges-Lehmann centre of pairs of values in random order";
}

/// The median of what the body tells in thirty calls or more: as many as a tenth of a second holds, and no longer than a second.
inline void measure_told_value(evaluation& e) {
    constexpr launch_limits limits;
    const subject& x = e.query().subjects[0];
    clock& wall = e.context.around().wall;
    const sample_kind told = settings_of(e, e.query().measured).samples;
    run_untimed(x, 1);
    std::vector<double> values;
    const std::int64_t started = wall.now();
    std::int64_t elapsed = 0;
    do {
        values.push_back(take_told(x, told));
        elapsed = wall.now() - started;
    } while (elapsed < limits.at_most.count() && (values.size() < limits.samples || elapsed < limits.at_least.count()));
    const summary s = summarize(values);
    e.out.measured = estimate{s.median, s.median, s.lower_quartile, s.upper_quartile, 0.0};
    e.out.evidence.rounds = values.size();
    e.out.evidence.exact = e.query().measured == metric_kind::own && s.minimum == s.maximum;
    e.out.evidence.method = "median of values, with their quartiles";
    e.out.subjects = {summary_of(e.names.front(), std::move(values), 1)};
    e.out.subjects.front().unit = e.query().unit;
}

inline double peak_of_first_run(evaluation& e, const subject& x) {
    counter& memory = e.context.around().counts.of(e.query().measured);
    const counting begun(memory);
    if (!begun.fault().empty()) throw measurement_failure(failure_kind::not_countable, begun.fault());
    const auto peak = static_cast<double>(take_sample(x, 1, warm_call::no, memory).elapsed_ns);
    if (std::string caveat = memory.caveat(); !caveat.empty()) add_note(e, "memory", std::move(caveat));
    return peak;
}

/// The parts of a cold start; of the whole are those from loading to the first steady call.
inline void describe_cold_start(evaluation& e, const subject& x, const cold_start_times& cold) {
    const double total = cold.total_ns();
    const auto add = [&](const char* part, double ns, double share) {
        e.out.parts.push_back({part, "cold start", dimension::time, {ns, ns, ns, ns, 0.0}, share, {}});
    };
    if (x.state().compile_ns > 0.0) add(compilation_part, x.state().compile_ns, 0.0);
    if (cold.load_ns > 0.0) add("load", cold.load_ns, cold.load_ns / total);
    add("first call", cold.calls_ns.front(), cold.calls_ns.front() / total);
    const double later = total - cold.load_ns - cold.calls_ns.front();
    if (later > 0.0) add("calls until steady", later, later / total);
    add("a steady call", cold.steady_ns, 0.0);
}

inline double time_of_first_run(evaluation& e, const subject& x) {
    clock& wall = e.context.around().wall;
    if (e.query().measured == metric_kind::first_call) return time_first_call(x, wall);
    if (e.query().measured == metric_kind::load_time) return time_load(x, wall);
    const cold_start_times cold = time_cold_start(x, wall);
    describe_cold_start(e, x, cold);
    return cold.total_ns();
}

/// The subject of the other side. Throws input_error where there is none.
inline const subject& subject_beside(const evaluation& e) {
    const bool is_pair = e.query().ratio && e.query().subjects.size() > 1;
    if (!is_pair && e.tree().other.subjects.empty())
        throw input_error(
            "this process is asked for the second subject of a claim that has one: build both programs from the same sources");
    return is_pair ? e.query().subjects[1] : e.tree().other.subjects.front();
}

/// The first run of one subject in this process.
inline void measure_fresh_value(evaluation& e) {
    const bool other = e.is_child() && e.context.child()->side == compared_side::second;
    const subject& x = other ? subject_beside(e) : e.query().subjects[0];
    const bool memory = e.query().measured == metric_kind::peak_memory;
    if (e.query().measured == metric_kind::first_call || e.query().measured == metric_kind::cold_start) note_not_first(e);
    const double value = memory ? peak_of_first_run(e, x) : time_of_first_run(e, x);
    e.out.measured = estimate{value, value, value, value, 0.0};
    e.out.evidence.rounds = 1;
    e.out.evidence.method = memory ? "peak of the resident set in a first run, above the level before it" : "first run in a process";
    e.out.subjects = {summary_of(e.names.at(other ? 1 : 0), {value}, 1)};
    e.out.subjects.front().unit = unit_of_samples(e);
}

void measure_launch_value(evaluation& e) {
    const measuring_scope measuring(e);
    clock& wall = e.context.around().wall;
    const std::int64_t started = wall.now();
    if (needs_fresh_process(e.query().measured)) {
        measure_fresh_value(e);
    } else if (e.query().measured == metric_kind::growth) {
        measure_growth(e);
    } else if (is_told_by_body(e.query().measured)) {
        e.query().ratio ? measure_told_ratio(e) : measure_told_value(e);
    } else if (e.query().ratio || e.tree().bound == bound_kind::query) {
        measure_ratio_value(e);
    } else if (!is_counted(e.query().measured) || !measure_settled_count(e)) {
        measure_time_value(e);
    }
    e.out.evidence.seconds = static_cast<double>(wall.now() - started) * 1e-9;
    set_verdict(e, verdict::holds);
}

void measure_only(evaluation& e) { measure_launch_value(e); }

}  // namespace perfspec::detail
