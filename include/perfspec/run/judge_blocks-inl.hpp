// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Absolute claims: blocks spread over the budget, into the same sequential test (stats/README.md, "Blocks"). Calibrated, not exact.

#include <perfspec/measure/block_source.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/run/conclude.hpp>
#include <perfspec/run/counting.hpp>
#include <perfspec/run/evaluation.hpp>
#include <perfspec/run/least_evidence.hpp>
#include <perfspec/run/measuring.hpp>
#include <perfspec/run/observe.hpp>
#include <perfspec/run/sharing.hpp>
#include <perfspec/run/undecided.hpp>
#include <perfspec/stats/evidence_interval.hpp>
#include <perfspec/stats/percentile.hpp>
#include <perfspec/stats/sequential.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace perfspec::detail {

/// One reading as the blocks of a series hold them.
inline double fresh_reading(const evaluation& e, const block_calibration& c) {
    const query_description& q = e.query();
    if (is_told(c.samples)) return take_told(q.subjects[0], c.samples);
    return take_positive_sample(q.subjects[0], c.x.iterations, warm_call::no, clocks_for(e, q.measured).metric).per_iteration();
}

inline bool are_blocks_unchanged(const evaluation& e, block_series& series) {
    clock& wall = e.context.around().wall;
    const std::int64_t started = wall.now();
    std::vector<double> readings;
    for (const timed_block& b : series.blocks) readings.insert(readings.end(), b.readings_ns.begin(), b.readings_ns.end());
    std::vector<double> fresh;
    while (fresh.size() < fresh_samples_to_share) fresh.push_back(fresh_reading(e, series.calibration));
    series.spent_ns += static_cast<double>(wall.now() - started);
    return are_alike(fresh, readings);
}

/// The blocks that this claim is judged by: those of an earlier claim, where nothing has changed since, or none yet. `fewest` must fit into the time.
inline block_series& block_series_for(evaluation& e, std::size_t fewest) {
    const query_description& q = e.query();
    block_series& series = e.context.samples().blocks[sharing_key(e, {&q.subjects[0]}, q.measured)];
    if (may_share(e, series.users, [&] { return are_blocks_unchanged(e, series); })) {
        use_series(e, series.users);
        return series;
    }
    series = {};
    measuring_settings settings = settings_of(e, q.measured);
    settings.fewest_rounds = static_cast<std::uint32_t>(fewest);
    series.calibration = calibrate_blocks(q.subjects[0], settings, clocks_for(e, q.measured));
    note_calls(e, q.subjects[0], e.names[0], series.calibration.x);
    use_series(e, series.users);
    announce_cost(e, static_cast<double>(series.calibration.time.budget_ns) * 1e-9);
    return series;
}

/// What a block says about one iteration: the median of its readings, or the percentile that is asked for; of a rate their mean, because work that is
/// done in all of its time counts.
inline double time_of_block(const evaluation& e, const timed_block& b) {
    if (e.query().measured == metric_kind::throughput) return mean_of(b.readings_ns);
    return needs_single_iterations(e.query()) ? percentile_of(b.readings_ns, percentile_level(e)) : b.median_ns;
}

/// Takes blocks as long as `open`; first those that the series has already.
template <class Add, class Open> void feed_blocks(evaluation& e, block_series& series, Add add, Open open) {
    for (const timed_block& b : series.blocks) add(b);
    if (!open()) return;
    const query_description& q = e.query();
    const clocks time = clocks_for(e, q.measured);
    const std::int64_t now = time.wall.now();
    const std::int64_t started = now - static_cast<std::int64_t>(series.spent_ns);
    // Further blocks of a series are spread from now on, not bunched because their turns are long past.
    if (!series.blocks.empty()) series.calibration.time.started_ns = now - series.calibration.time.calibrated_ns;
    block_source source(q.subjects[0], series.calibration, time, e.context.around().rest);
    while (open()) {
        series.blocks.push_back(source.next());
        add(series.blocks.back());
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

/// Absolute times move with the machine; what distance to leave is calibrated (stats/README.md, "Blocks").
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
    if (e.query().measured == metric_kind::throughput) return "means of blocks";
    if (!needs_single_iterations(e.query())) return "medians of blocks";
    return "percentiles of blocks of " + std::to_string(percentile_block(percentile_level(e))) + " single iterations";
}

/// The value that all readings of the first blocks agree on, where they do.
inline std::optional<double> agreed_value(const block_series& series, std::size_t count) {
    const double first = series.blocks.front().readings_ns.front();
    for (std::size_t i = 0; i < count; ++i) {
        const std::vector<double>& readings = series.blocks[i].readings_ns;
        if (std::ranges::any_of(readings, [first](double r) { return r != first; })) return {};
    }
    return first;
}

/// False, with the verdict invalid, for a bound that is true or false without measuring. Nothing is below 0; counts and metrics can be 0.
inline bool is_usable_bound(evaluation& e, double bound) {
    const bool may_be_zero = is_counted(e.query().measured) || e.query().measured == metric_kind::own;
    if (std::isfinite(bound) && (bound > 0.0 || (bound == 0.0 && may_be_zero))) return true;
    set_verdict(e, verdict::invalid,
                "the bound is not a positive " + std::string(base_unit(e.out.unit)) +
                    " value, so that the claim is true or false without measuring");
    return false;
}

inline double log_of_bound(const evaluation& e, double bound) {
    return is_told_by_body(e.query().measured) ? log_of_value(bound) : log_of(bound);
}

/// Blocks are judged by their distances from the bound. A metric whose readings all agree has no noise that a margin would be for.
void judge_blocks(evaluation& e) {
    const double bound = e.tree().value;
    e.out.bound = bound;
    if (!is_usable_bound(e, bound)) return;
    const double sign = sign_of(e.tree().compared);
    e.out.evidence.method = what_blocks_give(e) + " spread over the budget, " + std::string(sequential::method);
    e.out.evidence.approximate = true;
    auto [settings, fewest] = limits_of_rounds(e, comfortable_blocks, "blocks");
    std::optional<sequential> test;
    std::optional<double> agreed;
    double block_seconds = 0.0;
    {
        const measuring_scope measuring(e);
        block_series& series = block_series_for(e, fewest);
        settings.most = std::clamp<std::size_t>(static_cast<std::size_t>(series.calibration.blocks), fewest, settings.most);
        test.emplace(settings);
        const bool may_agree = e.query().measured == metric_kind::own;
        const auto is_settled = [&] {
            return may_agree && test->size() >= test->settings().first_look && agreed_value(series, test->size());
        };
        feed_blocks(
            e, series, [&](const timed_block& b) { test->add(sign * (log_of_block(e, series, b) - log_of_bound(e, bound))); },
            [&] { return test->decided() == decision::none && !test->exhausted() && !is_settled(); });
        describe_blocks(e, series, test->size());
        note_blocks(e, series.blocks);
        if (may_agree) agreed = agreed_value(series, test->size());
        block_seconds = e.out.evidence.budget_seconds / series.calibration.blocks;
    }
    if (agreed) return compare_agreed(e, *agreed, bound);
    conclude(e, test->progress(), {"blocks", block_seconds, settings.most, static_cast<std::size_t>(comfortable_blocks)});
    if (e.out.verdict != verdict::holds) advise_distance(e);
}

}  // namespace perfspec::detail
