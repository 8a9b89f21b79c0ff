// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Measures the value of one launch (stats/README.md, "Stored launches"), and queries without a claim.

#include <perfspec/judge/measuring.hpp>
#include <perfspec/judge/module_counter.hpp>
#include <perfspec/judge/notes.hpp>
#include <perfspec/judge/procedure.hpp>
#include <perfspec/judge/procedures/growth.hpp>
#include <perfspec/judge/procedures/pairs.hpp>
#include <perfspec/judge/procedures/value_pairs.hpp>
#include <perfspec/judge/processes/fresh_process.hpp>
#include <perfspec/judge/readings.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/launch_sample.hpp>
#include <perfspec/measure/loaded_memory.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/percentile.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {

inline void measure_ratio_value(const claim_context& context, claim_result& result) {
    const time_ratio r = ratio_of(context);
    const std::uint64_t seed = seed_of(context);
    const launch_pairs taken =
        measure_launch(r.numerator, r.denominator, settings_of(context, r.metric), seed, clocks_for(context, r.metric));
    pair_series series{.calibration = taken.calibration, .seed = seed, .pairs = taken.pairs, .spent_ns = 0.0};
    std::vector<double> ratios = logs_of(series, series.pairs.size(), r.log_factor);
    result.estimate = estimate_of_logs(ratios);
    describe_samples(context, result, r, series, series.pairs.size());
    describe_compilation(context, result, r);
    note_calls(context, result, r, taken.calibration);
    for (double& ratio : ratios) ratio = std::exp(ratio);
    result.subjects.push_back(
        summary_of(context.text, std::move(ratios), taken.calibration.a.iterations, dimension::ratio));
    result.evidence.method = "Hodges-Lehmann centre of pairs in random order";
}

/// A percentile needs a thousand iterations and ten blocks; for a median, thirty samples are enough.
inline launch_limits limits_of(const claim_context& context) {
    if (!needs_single_iterations(context.query)) return {};
    const auto minimum = static_cast<std::uint32_t>(
        std::max(min_percentile_iterations, 10 * percentile_block(percentile_level(context))));
    launch_limits limits;
    limits.samples = minimum;
    limits.min_samples = minimum;
    return limits;
}

/// The statistic of a launch's times that a query asks for, with the range around it, in nanoseconds.
struct launch_statistic {
    double value;
    double low;
    double high;
    std::string method;
};

/// The percentile of all iterations, and the quartiles of the percentiles of consecutive blocks, widened to contain it.
/// A burst in few blocks moves only the percentile.
inline launch_statistic percentile_of_launch(const std::vector<double>& times, double level) {
    const std::size_t length = percentile_block(level);
    std::vector<double> blocks;
    for (std::size_t i = 0; i + length <= times.size(); i += length)
        blocks.push_back(percentile_of({&times[i], length}, level));
    const summary s = summarize(blocks);
    const double value = percentile_of(times, level);
    return {value, std::min(s.lower_quartile, value), std::max(s.upper_quartile, value),
            "percentile of single iterations, with the quartiles of blocks of " + std::to_string(length)};
}

inline launch_statistic statistic_of_launch(const claim_context& context, const launch_times& taken) {
    if (needs_single_iterations(context.query))
        return percentile_of_launch(taken.samples_ns, percentile_level(context));
    const summary s = summarize(taken.samples_ns);
    if (is_rate(context.query.metric)) {
        const double mean = mean_of(taken.samples_ns);
        return {mean, std::min(s.lower_quartile, mean), std::max(s.upper_quartile, mean),
                "mean of samples, with their quartiles"};
    }
    if (context.query.statistic == statistic::minimum)
        return {s.minimum, s.minimum, s.lower_quartile, "minimum of samples, and their lower quartile"};
    return {taken.median_ns, s.lower_quartile, s.upper_quartile, "median of samples, with their quartiles"};
}

inline void measure_time_value(const claim_context& context, claim_result& result) {
    const query_description& q = context.query;
    launch_times taken = measure_launch(q.subjects[0], settings_of(context, q.metric), clocks_for(context, q.metric),
                                        limits_of(context));
    note_calls(context, result, q.subjects[0], context.names[0], taken.calibration.x);
    const launch_statistic of_launch = statistic_of_launch(context, taken);
    const auto [low, high] =
        std::minmax({value_from_time(context, of_launch.low), value_from_time(context, of_launch.high)});
    const double value = value_from_time(context, of_launch.value);
    result.estimate = estimate{value, value, low, high, 0.0};
    result.evidence.rounds = taken.samples_ns.size();
    result.evidence.method = of_launch.method;
    result.subjects = {summary_of(context.names.front(), std::move(taken.samples_ns), taken.calibration.x.iterations,
                                  unit_of_samples(context))};
}

/// Measures a count that repeats. False where the count differs from run to run; the caller then samples it like a
/// time.
inline bool measure_settled_count(const claim_context& context, claim_result& result) {
    const counted_runs runs = count_runs(context, result, context.query.subjects[0]);
    const std::optional<double> value = runs.settled();
    if (!value) return false;
    result.estimate = without_interval(*value);
    result.subjects = {summary_of_runs(context, context.names.front(), runs)};
    result.evidence.rounds = runs.counts.size();
    result.evidence.exact = true;
    result.evidence.method = "runs that counted the same";
    return true;
}

/// Measures the centre of thirty pairs.
inline void measure_reported_ratio(const claim_context& context, claim_result& result) {
    const time_ratio r = ratio_of(context);
    result.evidence.seed = seed_of(context);
    random_order order(result.evidence.seed);
    run_untimed(r.numerator, 1);
    run_untimed(r.denominator, 1);
    std::vector<reported_pair> pairs;
    while (pairs.size() < target_pairs)
        pairs.push_back(take_reported_pair(r, settings_of(context, r.metric).samples, order));
    describe_reported_pairs(context, result, r, pairs);
    result.evidence.method = "Hodges-Lehmann centre of pairs of values in random order";
}

/// Measures the median of the values that the body reports, or of a rate their mean: in thirty calls or more, for a
/// tenth of a second at least and a second at most.
inline void measure_reported_value(const claim_context& context, claim_result& result) {
    constexpr launch_limits limits;
    const subject& x = context.query.subjects[0];
    clock& wall = context.run.system().wall;
    const measuring_settings settings = settings_of(context, context.query.metric);
    run_untimed(x, 1);
    std::vector<double> values;
    const std::int64_t started = wall.now();
    std::int64_t elapsed = 0;
    do {
        values.push_back(take_reported(x, settings.samples, settings.kernels));
        elapsed = wall.now() - started;
    } while (elapsed < limits.at_most.count() && (values.size() < limits.samples || elapsed < limits.at_least.count()));
    const summary s = summarize(values);
    const bool of_rate = is_rate(context.query.metric);
    const double value = value_from_time(context, of_rate ? mean_of(values) : s.median);
    const auto [low, high] =
        std::minmax({value, value_from_time(context, s.lower_quartile), value_from_time(context, s.upper_quartile)});
    result.estimate = estimate{value, value, low, high, 0.0};
    result.evidence.rounds = values.size();
    result.evidence.exact = may_agree(context) && s.minimum == s.maximum;
    result.evidence.method =
        of_rate ? "mean of values, with their quartiles" : "median of values, with their quartiles";
    result.subjects = {summary_of(context.names.front(), std::move(values), 1, unit_of_samples(context))};
}

inline void note_caveat(const claim_context& context, claim_result& result, const counter& memory) {
    if (std::string caveat = memory.caveat(); !caveat.empty()) add_note(context, result, "memory", std::move(caveat));
}

inline double peak_of_first_run(const claim_context& context, claim_result& result, const subject& x) {
    counter& memory = context.run.system().counts.of(context.query.metric);
    const counting begun(memory);
    if (!begun.fault().empty()) throw measurement_failure(failure_kind::not_countable, begun.fault());
    const auto peak = static_cast<double>(take_sample(x, 1, warm_call::no, memory).elapsed_ns);
    note_caveat(context, result, memory);
    return peak;
}

/// Describes the parts of a peak of memory with loading. A peak while loading has a share only where it is the value.
inline void describe_loaded_memory(claim_result& result, const loaded_memory& memory) {
    const double total = memory.total();
    const auto add = [&](const char* part, double bytes, double share) {
        result.parts.push_back({part, "with load", dimension::bytes, without_interval(bytes), share, {}});
    };
    const bool peaks_in_load = memory.load && memory.load->peak >= memory.load->after + memory.call;
    const auto share = [&](double bytes, bool counts) { return counts && total > 0.0 ? bytes / total : 0.0; };
    if (memory.held > 0.0) add("parameters in memory before", memory.held, share(memory.held, true));
    if (memory.load) add("peak of loading", memory.load->peak, share(memory.load->peak, peaks_in_load));
    if (memory.load) add("after loading", memory.load->after, share(memory.load->after, !peaks_in_load));
    add("first call", memory.call, share(memory.call, !peaks_in_load));
}

inline double peak_with_load(const claim_context& context, claim_result& result, const subject& x) {
    counter& memory = context.run.system().counts.of(context.query.metric);
    const loaded_memory taken = take_loaded_memory(x, memory);
    describe_loaded_memory(result, taken);
    note_caveat(context, result, memory);
    return taken.total();
}

/// Describes the parts of a cold start. Only the parts from loading to the first steady call have a share of the total.
inline void describe_cold_start(claim_result& result, const subject& x, const cold_start_times& cold) {
    const double total = cold.total_ns();
    const auto add = [&](const char* part, double ns, double share) {
        result.parts.push_back({part, "cold start", dimension::time, without_interval(ns), share, {}});
    };
    if (x.state().compile_ns > 0.0) add(compilation_part, x.state().compile_ns, 0.0);
    if (cold.load_ns > 0.0) add("load", cold.load_ns, cold.load_ns / total);
    add("first call", cold.calls_ns.front(), cold.calls_ns.front() / total);
    const double later = total - cold.load_ns - cold.calls_ns.front();
    add("calls until steady", later,
        later / total);  // also where there are none: the parts of all launches are then alike
    add("a steady call", cold.steady_ns, 0.0);
}

std::size_t subject_of_this_process(const claim_context& context) {
    if (!context.is_child() || context.run.child()->side == compared_side::first) return 0;
    if (context.subjects.size() > 1) return 1;
    throw input_error(
        "this process is asked for the second subject of a claim that has one: build both programs from the same sources");
}

/// Measures the first run of one subject in this process.
template <class Read>
void measure_first_run(const claim_context& context, claim_result& result, const char* method, Read read) {
    const std::size_t index = subject_of_this_process(context);
    const double value = read(context.subjects[index]);
    result.estimate = without_interval(value);
    result.evidence.rounds = 1;
    result.evidence.method = method;
    result.subjects = {summary_of(context.names.at(index), {value}, 1, unit_of_samples(context))};
}

inline constexpr const char* first_run_method = "first run in a process";

inline void measure_peak_memory(const claim_context& context, claim_result& result) {
    if (counts_load(context.query))
        return measure_first_run(
            context, result, "peak of the resident set while a process loads and runs once, above the level before it",
            [&](const subject& x) { return peak_with_load(context, result, x); });
    measure_first_run(context, result, "peak of the resident set in a first run, above the level before it",
                      [&](const subject& x) { return peak_of_first_run(context, result, x); });
}

inline void measure_first_call(const claim_context& context, claim_result& result) {
    note_not_first(context, result);
    measure_first_run(context, result, first_run_method,
                      [&](const subject& x) { return time_first_call(x, context.run.system().wall); });
}

inline void measure_load_time(const claim_context& context, claim_result& result) {
    measure_first_run(context, result, first_run_method,
                      [&](const subject& x) { return time_load(x, context.run.system().wall); });
}

inline void measure_cold_start(const claim_context& context, claim_result& result) {
    note_not_first(context, result);
    measure_first_run(context, result, first_run_method, [&](const subject& x) {
        const cold_start_times cold = time_cold_start(x, context.run.system().wall);
        describe_cold_start(result, x, cold);
        return cold.total_ns();
    });
}

inline void measure_count(const claim_context& context, claim_result& result) {
    if (!measure_settled_count(context, result)) measure_time_value(context, result);
}

inline void measure_declared(const claim_context& context, claim_result& result) {
    const double value = declared_value(context.query.subjects[subject_of_this_process(context)]);
    result.estimate = without_interval(value);
    result.evidence.rounds = 1;
    result.evidence.exact = true;
    result.evidence.method = declared_method;
    result.subjects = {summary_of(context.names.front(), {value}, 1, context.query.unit)};
}

inline void measure_by_module(const claim_context& context, claim_result& result) {
    module_counter_of(context)->measure(context, result);
}

/// How one process measures a query, for a claim over processes or for a query without a claim.
struct contribution {
    bool (*answers)(const claim_context& context);
    void (*measure)(const claim_context& context, claim_result& result);
};

template <metric_kind M> bool is_of(const claim_context& context) { return context.query.metric == M; }

/// The first one that answers measures.
inline constexpr contribution contributions[] = {
    {[](const claim_context& context) { return is_declared(context.query.metric); }, measure_declared},
    {is_of<metric_kind::peak_memory>, measure_peak_memory},
    {is_of<metric_kind::first_call>, measure_first_call},
    {is_of<metric_kind::load_time>, measure_load_time},
    {is_of<metric_kind::cold_start>, measure_cold_start},
    {is_of<metric_kind::module_count>, measure_by_module},
    {is_of<metric_kind::growth>, measure_growth},
    {[](const claim_context& context) { return reports_own_value(context.query.metric) && context.query.is_ratio(); },
     measure_reported_ratio},
    {[](const claim_context& context) { return reports_own_value(context.query.metric); }, measure_reported_value},
    {[](const claim_context& context) { return is_counted(context.query.metric); }, measure_count},
    {[](const claim_context& context) { return context.is_relative(); }, measure_ratio_value},
    {[](const claim_context&) { return true; }, measure_time_value},
};

inline const contribution& contribution_to(const claim_context& context) {
    return *std::ranges::find_if(contributions, [&](const contribution& c) { return c.answers(context); });
}

void measure_one_launch(const claim_context& context, claim_result& result) {
    const measuring_scope measuring(context, result);
    clock& wall = context.run.system().wall;
    const std::int64_t started = wall.now();
    contribution_to(context).measure(context, result);
    result.evidence.seconds = static_cast<double>(wall.now() - started) * 1e-9;
    set_verdict(result, verdict::holds);
}

const procedure samples_of_a_launch{"samples as one launch takes them, without a bound",
                                    [](const claim_context& context) {
                                        const metric_kind m = context.query.metric;
                                        return is_only_measured(context) && (is_sampled(m) || is_declared(m)) &&
                                               context.query.arity != query_arity::several;
                                    },
                                    measure_one_launch};

}  // namespace perfspec::detail
