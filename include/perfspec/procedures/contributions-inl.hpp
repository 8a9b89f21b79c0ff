// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Measures the value of one process (stats/README.md, "Stored processes"), and queries without a claim.

#include <perfspec/claim/estimates.hpp>
#include <perfspec/claim/modules.hpp>
#include <perfspec/claim/notes.hpp>
#include <perfspec/claim/observing.hpp>
#include <perfspec/claim/partial_result.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/fresh_processes/take_processes.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/process_sample.hpp>
#include <perfspec/procedures/exact_values.hpp>
#include <perfspec/procedures/first_run-inl.hpp>
#include <perfspec/procedures/procedure.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/percentile.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// A percentile needs a thousand iterations and ten blocks; for a median, thirty samples are enough.
inline process_limits limits_of(const claim_context& context) {
    if (!needs_single_iterations(context.query)) return {};
    const auto minimum = static_cast<std::uint32_t>(
        std::max(min_percentile_iterations, 10 * percentile_block(percentile_level(context))));
    process_limits limits;
    limits.samples = minimum;
    limits.min_samples = minimum;
    return limits;
}

/// The statistic of a process's times for a query, with the range around it, in nanoseconds.
struct process_statistic {
    double value;
    double low;
    double high;
    std::string method;
};

/// The percentile of all iterations, and the quartiles of the percentiles of consecutive blocks, widened to contain it.
/// A burst in few blocks moves only the percentile.
inline process_statistic percentile_of_process(const std::vector<double>& times, double level) {
    const std::size_t length = percentile_block(level);
    std::vector<double> blocks;
    for (std::size_t i = 0; i + length <= times.size(); i += length)
        blocks.push_back(percentile_of({&times[i], length}, level));
    const summary s = summarize(blocks);
    const double value = percentile_of(times, level);
    return {value, std::min(s.lower_quartile, value), std::max(s.upper_quartile, value),
            "percentile of single iterations, with the quartiles of blocks of " + std::to_string(length)};
}

inline process_statistic statistic_of_process(const claim_context& context, const std::vector<double>& samples) {
    if (needs_single_iterations(context.query)) return percentile_of_process(samples, percentile_level(context));
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
    const process_statistic of_process = statistic_of_process(context, samples);
    const double value = value_from_time(context, of_process.value);
    const auto [low, high] =
        std::minmax({value_from_time(context, of_process.low), value_from_time(context, of_process.high)});
    result.estimate = estimate{value, low, high, 0.0};
    result.evidence.rounds = samples.size();
    result.evidence.method = of_process.method;
    result.subjects = {summary_of(context.names.front(), std::move(samples), iterations, unit_of_samples(context))};
    return result;
}

/// The samples of a process without interruptions, and their lower limits.
struct process_samples {
    std::vector<double> times{};   ///< exact ones alone, unless they are too few
    std::vector<double> limits{};  ///< of the same samples
};

inline process_samples without_interruptions(timed_block taken) {
    constexpr std::size_t one_in = 3;
    if (taken.working.empty()) return {taken.readings_ns, taken.readings_ns};
    process_samples exact, all;
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
    process_times process = measure_process(q.subjects[0], settings_of(context, q.metric),
                                            clocks_for(context, q.metric), limits_of(context));
    claim_result result = empty_result(context);
    result.notes = notes_of_calls(context, q.subjects[0], context.names[0], process.calibration.x);
    const std::uint64_t iterations = process.calibration.x.iterations;
    result.disturbed = interruptions_of(process.samples, iterations);
    const double processor_ns = process.samples.processor_ns;
    process_samples samples = without_interruptions(std::move(process.samples));
    result.disturbed.working_share =
        statistic_of_process(context, samples.limits).value / statistic_of_process(context, samples.times).value;
    result = with_samples(context, std::move(result), std::move(samples.times), iterations);
    result.evidence.processor_ns = processor_ns;
    return result;
}

/// The values that the body reports: in thirty calls or more, for a tenth of a second at least and a second at most.
inline std::vector<double> take_reported_values(const claim_context& context) {
    constexpr process_limits limits;
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

std::size_t subject_of_this_process(const claim_context& context) {
    if (!context.is_child() || context.run.child()->side == compared_side::first) return 0;
    if (context.subjects.size() > 1) return 1;
    throw input_error(
        "this process must measure the second subject of a claim that has only one here: build both programs from the "
        "same sources");
}

/// Measures a query in this process, for a claim over processes or for a query without a claim.
inline claim_result contribution_of(const claim_context& context) {
    const metric_kind m = context.query.metric;
    if (is_declared(m)) return measure_declared(context);
    if (traits_of(m).from == reading::module) return module_of(context.query)->measure(context);
    if (needs_fresh_process(m)) return measure_first_run(context);
    if (m == metrics::complexity) return measure_complexity(context);
    if (reports_own_value(m) && !context.query.is_ratio()) return measure_reported_value(context);
    if (is_counted(m)) return measure_count(context);
    return context.is_relative() ? measure_ratio(context) : measure_time_value(context);
}

claim_result measure_one_process(const claim_context& context) {
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

}  // namespace perfspec::inline v0_2::detail
