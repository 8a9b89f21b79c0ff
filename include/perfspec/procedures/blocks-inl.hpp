// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Absolute claims: blocks spread over the budget go into the same sequential test (stats/README.md, "Blocks").
// Calibrated, not exact.

#include <perfspec/claim/estimates.hpp>
#include <perfspec/claim/notes.hpp>
#include <perfspec/claim/observing.hpp>
#include <perfspec/claim/partial_result.hpp>
#include <perfspec/claim/progress.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/procedures/conclude.hpp>
#include <perfspec/procedures/exact_values.hpp>
#include <perfspec/procedures/procedure.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/stats/percentile.hpp>
#include <perfspec/stats/sequential.hpp>
#include <perfspec/stats/summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// The blocks of this claim; empty unless one side of its tolerance was judged. `minimum` blocks must fit into the
/// time.
inline block_series& block_series_for(const claim_context& context, std::size_t minimum) {
    const query_description& q = context.query;
    std::optional<block_series>& series = context.samples->blocks;
    if (series) return *series;
    measuring_settings settings = settings_of(context, q.metric);
    settings.min_rounds = static_cast<std::uint32_t>(minimum);
    const block_calibration calibration = calibrate_blocks(q.subjects[0], settings, clocks_for(context, q.metric));
    announce_cost(context, static_cast<double>(calibration.time.budget_ns) * 1e-9);
    return series.emplace(block_series{.calibration = calibration, .resources_before = resources_now(context)});
}

/// The time of one iteration: the median of the readings, or the claimed percentile; for a rate the mean, because all
/// of the time counts.
inline double time_of_readings(const claim_context& context, const std::vector<double>& readings_ns) {
    if (is_rate(context.query.metric)) return mean_of(readings_ns);
    return needs_single_iterations(context.query) ? percentile_of(readings_ns, percentile_level(context))
                                                  : median(readings_ns);
}

inline bool is_inside(const claim_context& context, double time_ns) {
    return context.sign() * (value_from_time(context, time_ns) - context.value()) > 0.0;
}

/// The readings of a block that count, without interruptions.
///
/// Other work on the machine does not make a claim false. The time of an interrupted reading lies between two ends: at
/// least its working time without what cold caches after an interruption may cost; at most its working time if that is
/// exact, otherwise the whole reading. It counts by the nearer end if both ends are on one side of the bound, also with
/// that allowance above: leaving out readings on one side alone would move the value of the block to the other side.
inline std::vector<double> counted_readings(const claim_context& context, const timed_block& b) {
    constexpr double cold_caches = 1.25;
    if (b.working.empty()) return b.readings_ns;
    std::vector<double> counted;
    for (std::size_t i = 0; i < b.readings_ns.size(); ++i) {
        const double whole = b.readings_ns[i];
        const auto [least, is_exact] = b.working[i];
        const double most = is_exact ? least : whole;
        const bool is_most_inside = is_inside(context, most * cold_caches);
        if (b.working[i].is_nearly(whole)) counted.push_back(least);
        else if (is_inside(context, least / cold_caches) == is_most_inside)
            counted.push_back(is_most_inside == context.claims_less_time() ? most : least);
    }
    return counted;
}

/// The value of a block; empty if none of its readings counts.
inline std::optional<double> value_of_block(const claim_context& context, const timed_block& b) {
    const std::vector<double> readings_ns = counted_readings(context, b);
    if (readings_ns.empty()) return {};
    return value_from_time(context, time_of_readings(context, readings_ns));
}

struct judged_blocks {
    std::size_t count{};
    std::vector<double> values{};  ///< of those that count
};

inline sample_summary summary_of_blocks(const claim_context& context, const block_series& series, std::size_t count) {
    std::vector<double> times;
    for (const timed_block& b : std::span(series.blocks).first(count))
        for (std::size_t i = 0; i < b.readings_ns.size(); ++i)
            times.push_back(b.working.empty() || !b.working[i].is_exact ? b.readings_ns[i] : b.working[i].ns);
    return summary_of(context.names.front(), std::move(times), series.calibration.x.iterations,
                      unit_of_samples(context));
}

/// Absolute times move with the machine. The distances in this advice are calibrated (stats/README.md, "Blocks").
inline std::vector<std::string> advice_on_absolute_times(const claim_context& context) {
    if (is_counted(context.query.metric) || reports_own_value(context.query.metric)) return {};
    if (needs_single_iterations(context.query))
        return {
            "an absolute percentile varies with the machine, even more than a median. On your own quiet machine, set "
            "the bound 20 % away for bodies of about 100 us. For shorter bodies or on a shared machine, set it a "
            "factor of 2 away. A comparison in one run, p99(latency(a)) < 1.2 * p99(latency(b)), needs less distance"};
    return {
        "an absolute time varies with the machine: set the bound 5 % away on your own machine, 20 % on a shared one, 50 % for memory- "
        "or thread-bound code; a ratio of two subjects in one run needs less"};
}

inline std::string statistic_of_blocks(const claim_context& context) {
    if (is_rate(context.query.metric)) return "means of blocks";
    if (!needs_single_iterations(context.query)) return "medians of blocks";
    return "percentiles of blocks of " + std::to_string(percentile_block(percentile_level(context))) +
           " single iterations";
}

/// The value of all readings in the first `count` blocks; empty if they differ.
inline std::optional<double> agreed_value(const block_series& series, std::size_t count) {
    const double first = series.blocks.front().readings_ns.front();
    for (std::size_t i = 0; i < count; ++i) {
        const std::vector<double>& readings = series.blocks[i].readings_ns;
        if (std::ranges::any_of(readings, [first](double r) { return r != first; })) return {};
    }
    return first;
}

/// The value for an exact comparison, if all readings agree. For an upper bound of 0 it is the greatest reading,
/// because readings that differ are not always 0.
inline std::optional<double> value_to_compare(const claim_context& context, const block_series& series,
                                              std::size_t count) {
    if (traits_of(context.query.metric).from != reading::body) return {};
    if (context.value() != 0.0 || !context.claims_less()) return agreed_value(series, count);
    double greatest = 0.0;
    for (std::size_t i = 0; i < count; ++i)
        greatest = std::max(greatest, std::ranges::max(series.blocks[i].readings_ns));
    return greatest;
}

/// A source of further blocks. They are spread from now on; by the old schedule they would all be due at once.
inline block_source blocks_after(const claim_context& context, block_series& series) {
    const clocks timing = clocks_for(context, context.query.metric);
    time_budget& time = series.calibration.time;
    if (!series.blocks.empty()) time.started_ns = timing.wall.now() - time.calibrated_ns;
    return {context.subjects[0], series.calibration, timing, context.run.system().rest};
}

/// Feeds the test with blocks, stored ones first, until it decides or all of the claim's blocks are used.
inline judged_blocks feed_blocks(const claim_context& context, block_series& series, sequential& test) {
    const sequential_settings settings = test.progress().settings;
    clock& wall = context.run.system().wall;
    const double started_ns = static_cast<double>(wall.now()) - series.spent_ns;
    block_source fresh = blocks_after(context, series);
    judged_blocks judged;
    drive(test, [&](std::size_t size) -> std::optional<double> {
        if (size >= settings.first_look && value_to_compare(context, series, size)) return {};
        while (judged.count < settings.max_size) {
            if (judged.count == series.blocks.size()) {
                series.blocks.push_back(fresh.next());
                series.spent_ns = static_cast<double>(wall.now()) - started_ns;
            }
            const auto value = value_of_block(context, series.blocks[judged.count++]);
            if (!value) continue;
            judged.values.push_back(*value);
            return log_inside(context, *value, context.value());
        }
        return {};
    });
    return judged;
}

/// Why a violation by a body this short does not count; empty if it does.
inline std::string reason_of_short_body(const claim_context& context, double iteration_ns) {
    constexpr double least_ns = 0.01;
    if (traits_of(context.query.metric).from != reading::wall_clock || iteration_ns >= short_body_ns ||
        !is_inside(context, std::max(iteration_ns - loop_around_body_ns, least_ns)))
        return {};
    return fmt::format(
        "an iteration takes {}, of which the loop around the body takes up to 3 ns, so this bound is too close for a "
        "body this short: do the work several times in an iteration",
        format_seconds(iteration_ns));
}

struct block_evidence {
    const block_series& series;
    sequential_settings settings;
    test_progress test;
    judged_blocks judged{};
    std::vector<std::string> notes{};
};

inline block_evidence take_blocks(const claim_context& context, const round_limits& limits) {
    block_series& series = block_series_for(context, limits.min_size);
    sequential_settings settings = limits.settings;
    settings.max_size = std::clamp<std::size_t>(static_cast<std::size_t>(series.calibration.blocks), limits.min_size,
                                                settings.max_size);
    sequential test(settings);
    judged_blocks judged = feed_blocks(context, series, test);
    return {series, settings, test.progress(), std::move(judged), notes_of_blocks(context, series)};
}

/// Judges blocks by their distances from the bound. A metric whose readings all agree has no noise, so it needs no
/// margin.
claim_result judge_blocks(const claim_context& context) {
    claim_result result = empty_result(context);
    const double bound = context.value();
    result.bound = bound;
    result.evidence.method =
        statistic_of_blocks(context) + " spread over the budget, " + std::string(sequential::method);
    result.evidence.approximate = true;
    const round_limits limits = limits_of_rounds(context, target_blocks, "blocks");
    auto [evidence, observation] = measure(context, result, [&] { return take_blocks(context, limits); });
    const block_series& series = evidence.series;
    if (!evidence.judged.values.empty()) result.estimate = estimate_of_values(evidence.judged.values);
    result.subjects = {summary_of_blocks(context, series, evidence.judged.count)};
    for (const timed_block& b : series.blocks)
        result.disturbed = joined(std::move(result.disturbed), interruptions_of(b, series.calibration.x.iterations));
    result.evidence.rounds = evidence.judged.values.size();
    result.evidence.starting_seconds = static_cast<double>(series.calibration.time.starting_ns) * 1e-9;
    result.evidence.seconds = result.evidence.starting_seconds + series.spent_ns * 1e-9;
    result.evidence.budget_seconds = static_cast<double>(series.calibration.time.budget_ns) * 1e-9;
    result.notes = std::move(evidence.notes);
    result = observed(std::move(result), std::move(observation));
    if (const auto agreed = value_to_compare(context, series, evidence.test.size))
        return compare_agreed(context, std::move(result), *agreed, bound);
    std::string excuse = reason_of_short_body(context, result.subjects.front().median);
    if (excuse.empty() && result.estimate && series.calibration.samples != sample_kind::values &&
        is_clocked(context.query.metric) && context.claims_less_time())
        excuse = reason_of_sharing(-log_inside(context, result.estimate->value, bound), result.disturbed);
    const double block_seconds = result.evidence.budget_seconds / series.calibration.blocks;
    result = conclude(context, std::move(result), evidence.test,
                      {"blocks", block_seconds, evidence.settings.max_size, static_cast<std::size_t>(target_blocks)},
                      std::move(excuse));
    const std::size_t counted = evidence.judged.values.size();
    result = with_reason_of_interruptions(std::move(result), "blocks", counted, evidence.judged.count - counted);
    if (result.verdict != verdict::holds) append(result.advice, advice_on_absolute_times(context));
    return result;
}

}  // namespace perfspec::inline v0_2::detail
