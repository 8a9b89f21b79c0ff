// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Measures the value of one launch (stats/README.md, "Stored launches"), and queries without a claim.

#include <perfspec/claim/measuring.hpp>
#include <perfspec/claim/modules.hpp>
#include <perfspec/claim/partial_result.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/launches/take_launches.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/launch_sample.hpp>
#include <perfspec/procedures/exact_values.hpp>
#include <perfspec/procedures/procedure.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/percentile.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_1::detail {

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

/// The statistic of a launch's times for a query, with the range around it, in nanoseconds.
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

inline launch_statistic statistic_of_launch(const claim_context& context, const std::vector<double>& samples) {
    if (needs_single_iterations(context.query)) return percentile_of_launch(samples, percentile_level(context));
    const summary s = summarize(samples);
    if (is_rate(context.query.metric)) {
        const double mean = mean_of(samples);
        return {mean, std::min(s.lower_quartile, mean), std::max(s.upper_quartile, mean),
                "mean of samples, with their quartiles"};
    }
    return {s.median, s.lower_quartile, s.upper_quartile, "median of samples, with their quartiles"};
}

/// The result with the statistic of samples: times of an iteration, or values of the body.
inline claim_result with_samples(const claim_context& context, claim_result result, std::vector<double> samples,
                                 std::uint64_t iterations) {
    const launch_statistic of_launch = statistic_of_launch(context, samples);
    const double value = value_from_time(context, of_launch.value);
    const auto [low, high] =
        std::minmax({value_from_time(context, of_launch.low), value_from_time(context, of_launch.high)});
    result.estimate = estimate{value, value, low, high, 0.0};
    result.evidence.rounds = samples.size();
    result.evidence.method = of_launch.method;
    result.subjects = {summary_of(context.names.front(), std::move(samples), iterations, unit_of_samples(context))};
    return result;
}

/// The samples of a launch without interruptions, and their lower limits.
struct launch_samples {
    std::vector<double> times{};   ///< exact ones alone, unless they are too few
    std::vector<double> limits{};  ///< of the same samples
};

inline launch_samples without_interruptions(timed_block taken) {
    constexpr std::size_t one_in = 3;
    if (taken.working.empty()) return {taken.readings_ns, taken.readings_ns};
    launch_samples exact, all;
    for (std::size_t i = 0; i < taken.working.size(); ++i) {
        const auto [ns, is_exact] = taken.working[i];
        if (is_exact) exact.times.push_back(ns);
        all.times.push_back(is_exact ? ns : taken.readings_ns[i]);
        all.limits.push_back(ns);
    }
    if (exact.times.size() * one_in < all.times.size()) return all;
    exact.limits = exact.times;
    return exact;
}

claim_result measure_time_value(const claim_context& context) {
    const query_description& q = context.query;
    launch_times launch = measure_launch(q.subjects[0], settings_of(context, q.metric), clocks_for(context, q.metric),
                                         limits_of(context));
    claim_result result = empty_result(context);
    result.notes = notes_of_calls(context, q.subjects[0], context.names[0], launch.calibration.x);
    const std::uint64_t iterations = launch.calibration.x.iterations;
    result.disturbed = interruptions_of(launch.samples, iterations);
    const double processor_ns = launch.samples.processor_ns;
    launch_samples samples = without_interruptions(std::move(launch.samples));
    result.disturbed.working_share =
        statistic_of_launch(context, samples.limits).value / statistic_of_launch(context, samples.times).value;
    result = with_samples(context, std::move(result), std::move(samples.times), iterations);
    result.evidence.processor_ns = processor_ns;
    return result;
}

/// The values that the body reports: in thirty calls or more, for a tenth of a second at least and a second at most.
inline std::vector<double> take_reported_values(const claim_context& context) {
    constexpr launch_limits limits;
    const subject& x = context.query.subjects[0];
    clock& wall = context.run.system().wall;
    const measuring_settings settings = settings_of(context, context.query.metric);
    run_untimed(x, 1);
    std::vector<double> values;
    const std::int64_t started = wall.now();
    std::int64_t elapsed = 0;
    do {
        values.push_back(take_value(x, settings.values));
        elapsed = wall.now() - started;
    } while (elapsed < limits.at_most.count() && (values.size() < limits.samples || elapsed < limits.at_least.count()));
    return values;
}

/// Measures the median of the values that the body reports; for a rate, their mean.
inline claim_result measure_reported_value(const claim_context& context) {
    std::vector<double> values = take_reported_values(context);
    claim_result result = empty_result(context);
    result.evidence.exact = traits_of(context.query.metric).from == reading::body && do_agree(values);
    return with_samples(context, std::move(result), std::move(values), 1);
}

/// The first run of a subject in this process.
struct first_run {
    const char* method{};
    double value{};
    std::vector<part_value> parts{};
    std::vector<std::string> notes{};
};

inline std::vector<std::string> note_of_memory(const claim_context& context, const counter& memory) {
    std::string caveat = memory.caveat();
    return caveat.empty() ? std::vector<std::string>{} : note_once(context, "memory", std::move(caveat));
}

inline first_run peak_of_first_run(const claim_context& context, const subject& x) {
    counter& memory = context.run.system().counts.of({context.query.metric});
    const counting begun(memory);
    if (!begun.fault().empty()) throw measurement_failure(failure_kind::not_countable, begun.fault());
    const auto peak = static_cast<double>(take_sample(x, 1, warm_call::no, memory).elapsed_ns);
    return {"peak of the resident set in a first run, above the level before it",
            peak,
            {},
            note_of_memory(context, memory)};
}

/// The parts of a peak of memory with loading. A peak while loading has a share only if it is the value.
inline std::vector<part_value> parts_of(const loaded_memory& memory) {
    const double total = memory.total();
    std::vector<part_value> parts;
    const auto add = [&](const char* part, double bytes, double share) {
        parts.push_back({part, "with load", dimension::bytes, without_interval(bytes), share, {}});
    };
    const bool peaks_in_load = memory.load && memory.load->peak >= memory.load->after + memory.call;
    const auto share = [&](double bytes, bool counts) { return counts && total > 0.0 ? bytes / total : 0.0; };
    if (memory.held > 0.0) add("parameters in memory before", memory.held, share(memory.held, true));
    if (memory.load) add("peak of loading", memory.load->peak, share(memory.load->peak, peaks_in_load));
    if (memory.load) add("after loading", memory.load->after, share(memory.load->after, !peaks_in_load));
    add("first call", memory.call, share(memory.call, !peaks_in_load));
    return parts;
}

inline first_run peak_with_load(const claim_context& context, const subject& x) {
    counter& memory = context.run.system().counts.of({context.query.metric});
    const loaded_memory measured_memory = take_loaded_memory(x, memory);
    return {"peak of the resident set while a process loads and runs once, above the level before it",
            measured_memory.total(), parts_of(measured_memory), note_of_memory(context, memory)};
}

/// The parts of a cold start. Only the parts from loading to the first steady call have a share of the total.
inline std::vector<part_value> parts_of(const cold_start_times& cold) {
    const double total = cold.total_ns();
    std::vector<part_value> parts;
    const auto add = [&](const char* part, double ns, double share) {
        parts.push_back({part, "cold start", dimension::time, without_interval(ns), share, {}});
    };
    if (cold.load_ns > 0.0) add("load", cold.load_ns, cold.load_ns / total);
    add("first call", cold.calls_ns.front(), cold.calls_ns.front() / total);
    const double later = total - cold.load_ns - cold.calls_ns.front();
    add("calls until steady", later,
        later / total);  // also without such calls, so all launches have the same parts
    add("a steady call", cold.steady_ns, 0.0);
    return parts;
}

std::size_t subject_of_this_process(const claim_context& context) {
    if (!context.is_child() || context.run.child()->side == compared_side::first) return 0;
    if (context.subjects.size() > 1) return 1;
    throw input_error(
        "this process is asked for the second subject of a claim that has one: build both programs from the same sources");
}

inline first_run read_first_run(const claim_context& context, const subject& x) {
    constexpr const char* method = "first run in a process";
    clock& wall = context.run.system().wall;
    const metric_kind m = context.query.metric;
    if (m == metrics::peak_memory)
        return counts_load(context.query) ? peak_with_load(context, x) : peak_of_first_run(context, x);
    if (m == metrics::load_time) return {method, time_load(x, wall)};
    if (m != metrics::cold_start) return {method, time_first_call(x, wall)};
    const cold_start_times cold = time_cold_start(x, wall);
    std::vector<part_value> parts = parts_before_start != nullptr ? parts_before_start(x) : std::vector<part_value>{};
    return {method, cold.total_ns(), joined(std::move(parts), parts_of(cold))};
}

/// Measures the first run of one subject in this process.
inline claim_result measure_first_run(const claim_context& context) {
    const metric_kind m = context.query.metric;
    claim_result result = empty_result(context);
    if (m == metrics::first_call || m == metrics::cold_start) result.notes = note_of_first_run(context);
    const std::size_t index = subject_of_this_process(context);
    first_run run = with_partial_result(result, [&] { return read_first_run(context, context.subjects[index]); });
    append(result.notes, std::move(run.notes));
    result.parts = std::move(run.parts);
    result.estimate = without_interval(run.value);
    result.evidence.rounds = 1;
    result.evidence.method = run.method;
    result.subjects = {summary_of(context.names.at(index), {run.value}, 1, unit_of_samples(context))};
    return result;
}

/// Measures a query in this process, for a claim over processes or for a query without a claim.
inline claim_result contribution_of(const claim_context& context) {
    const metric_kind m = context.query.metric;
    if (is_declared(m)) return measure_declared(context);
    if (traits_of(m).from == reading::module) return module_of(context.query)->measure(context);
    if (needs_fresh_process(m)) return measure_first_run(context);
    if (m == metrics::growth) return measure_growth(context);
    if (reports_own_value(m) && !context.query.is_ratio()) return measure_reported_value(context);
    if (is_counted(m)) return measure_count(context);
    return context.is_relative() ? measure_ratio(context) : measure_time_value(context);
}

claim_result measure_one_launch(const claim_context& context) {
    auto [result, observation] = measure(context, empty_result(context), [&] {
        clock& wall = context.run.system().wall;
        const std::int64_t started = wall.now();
        claim_result contribution = contribution_of(context);
        contribution.evidence.seconds = static_cast<double>(wall.now() - started) * 1e-9;
        return contribution;
    });
    result = observed(std::move(result), std::move(observation));
    if (traits_of(context.query.metric).from == reading::first_run && result.evidence.seconds > 0.0)
        result.disturbed.working_share = std::max(1.0 - result.disturbed.waited_seconds / result.evidence.seconds, 0.0);
    return judged(std::move(result), {verdict::holds});
}

}  // namespace perfspec::inline v0_1::detail
