// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Absolute claims: blocks spread over the budget, into the same sequential test (statistics.md 6). Calibrated, not exact.

#include <perfspec/measure/block_source.hpp>
#include <perfspec/run/evaluation.hpp>
#include <perfspec/run/measuring.hpp>
#include <perfspec/run/sharing.hpp>
#include <perfspec/stats/evidence_interval.hpp>
#include <perfspec/stats/percentile.hpp>
#include <perfspec/stats/sequential.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace perfspec::detail {

inline block_series& block_series_for(evaluation& e) {
    const query_description& q = e.query();
    shared_samples& shared = e.context.samples();
    const auto [found, is_new] = shared.blocks.try_emplace(sharing_key(e, {&q.subjects[0]}, q.measured));
    block_series& series = found->second;
    if (!is_new && !series.blocks.empty()) return series;
    series.calibration = calibrate_blocks(q.subjects[0], settings_of(e, q.measured), clocks_for(e, q.measured));
    announce_cost(e, static_cast<double>(series.calibration.time.budget_ns) * 1e-9);
    return series;
}

/// What a block says about one iteration: the median of its readings, or the percentile that is asked for.
inline double time_of_block(const evaluation& e, const timed_block& b) {
    return needs_single_iterations(e.query()) ? percentile_of(b.readings_ns, percentile_level(e)) : b.median_ns;
}

template <class Distance> void feed_blocks(evaluation& e, block_series& series, sequential& test, Distance distance) {
    for (const timed_block& b : series.blocks) test.add(distance(b));
    if (test.decided() != decision::none || test.exhausted()) return;
    const query_description& q = e.query();
    const clocks time = clocks_for(e, q.measured);
    const std::int64_t now = time.wall.now();
    const std::int64_t started = now - static_cast<std::int64_t>(series.spent_ns);
    // Further blocks of a series are spread from now on, not bunched because their turns are long past.
    if (!series.blocks.empty()) series.calibration.time.started_ns = now - series.calibration.time.calibrated_ns;
    block_source source(q.subjects[0], series.calibration, time, e.context.around().rest);
    while (test.decided() == decision::none && !test.exhausted()) {
        series.blocks.push_back(source.next());
        test.add(distance(series.blocks.back()));
    }
    series.spent_ns = static_cast<double>(time.wall.now() - started);
}

/// The logarithm of what a block says.
inline double log_of_block(const evaluation& e, const block_series& series, const timed_block& b) {
    const double value = value_from_time(e, time_of_block(e, b));
    return is_told_by_body(e.query().measured) ? log_of_value(value) : log_of(value, series.calibration.x.iterations);
}

inline void describe_blocks(evaluation& e, block_series& series, std::size_t count) {
    std::vector<double> values;
    std::vector<double> times;
    for (std::size_t i = 0; i < count; ++i) {
        values.push_back(log_of_block(e, series, series.blocks[i]));
        times.insert(times.end(), series.blocks[i].readings_ns.begin(), series.blocks[i].readings_ns.end());
    }
    const centre_interval interval = evidence_interval(values);
    e.out.measured =
        estimate{std::exp(interval.centre), std::exp(median(values)), std::exp(interval.low), std::exp(interval.high), interval.level};
    e.out.subjects = {summary_of(e.names.front(), std::move(times), series.calibration.x.iterations)};
    e.out.subjects.front().unit = unit_of_samples(e);
    e.out.evidence.rounds = count;
    describe_cost(e, series);
}

/// Absolute times move with the machine; what distance to leave is calibrated (statistics.md 6).
inline void advise_distance(evaluation& e) {
    if (is_counted(e.query().measured) || is_told_by_body(e.query().measured)) return;
    if (needs_single_iterations(e.query())) {
        e.out.advice.emplace_back(
            "an absolute percentile moves with the machine more than a median: leave 20 % to the bound for bodies of some 100 us on a quiet "
            "machine of your own, a factor of 2 for shorter ones and on a shared machine; against the percentile of another subject in the "
            "same run, p99(latency(a)) < 1.2 * p99(latency(b)), less is enough");
        return;
    }
    e.out.advice.emplace_back(
        "an absolute time moves with the machine: leave 5 % to the bound on a machine of your own, 20 % on a shared one, 50 % for memory- or thread-bound "
        "code; a ratio of two subjects in one run needs less");
}

inline std::string what_blocks_give(const evaluation& e) {
    if (!needs_single_iterations(e.query())) return "medians of blocks";
    return "percentiles of blocks of " + std::to_string(percentile_block(percentile_level(e))) + " single iterations";
}

void judge_blocks(evaluation& e) {
    const double bound = e.tree().value;
    e.out.bound = bound;
    if (!(bound > 0.0 || (bound == 0.0 && is_counted(e.query().measured))) || !std::isfinite(bound)) {
        set_verdict(e, verdict::invalid,
                    "the bound is not a positive " + std::string(base_unit(e.out.unit)) +
                        " value, so that the claim is true or false without measuring");
        return;
    }
    const double sign = sign_of(e.tree().compared);
    e.out.evidence.method = what_blocks_give(e) + " spread over the budget, " + std::string(sequential::method);
    std::optional<sequential> test;
    double block_seconds = 0.0;
    const std::size_t rounds = e.plan.rounds.value_or(comfortable_blocks);
    {
        const measuring_scope measuring(e);
        block_series& series = block_series_for(e);
        test.emplace(settings_of_test(e, std::min(static_cast<std::size_t>(series.calibration.blocks), rounds)));
        feed_blocks(e, series, *test, [&](const timed_block& b) { return sign * (log_of_block(e, series, b) - log_of(bound)); });
        describe_blocks(e, series, test->size());
        block_seconds = e.out.evidence.budget_seconds / series.calibration.blocks;
    }
    conclude(e, test->progress(), {"blocks", block_seconds, rounds, comfortable_blocks});
    if (e.out.verdict != verdict::holds) advise_distance(e);
}

}  // namespace perfspec::detail
