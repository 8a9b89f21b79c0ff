// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Absolute claims: blocks spread over the budget go into the same sequential test (stats/README.md, "Blocks").
// Calibrated, not exact.

#include <perfspec/judge/conclude.hpp>
#include <perfspec/judge/measuring.hpp>
#include <perfspec/judge/minimum_evidence.hpp>
#include <perfspec/judge/procedure.hpp>
#include <perfspec/judge/progress.hpp>
#include <perfspec/judge/readings.hpp>
#include <perfspec/measure/block_source.hpp>
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
#include <vector>

namespace perfspec::detail {

/// The blocks of this claim: none yet, unless one side of its tolerance was judged. `minimum` blocks must fit into the
/// time.
inline block_series& block_series_for(const claim_context& context, claim_result& result, std::size_t minimum) {
    const query_description& q = context.query;
    std::optional<block_series>& series = context.run.samples().blocks;
    if (series) return *series;
    measuring_settings settings = settings_of(context, q.metric);
    settings.min_rounds = static_cast<std::uint32_t>(minimum);
    const block_calibration calibration = calibrate_blocks(q.subjects[0], settings, clocks_for(context, q.metric));
    note_calls(context, result, q.subjects[0], context.names[0], calibration.x);
    announce_cost(context, static_cast<double>(calibration.time.budget_ns) * 1e-9);
    return series.emplace(block_series{.calibration = calibration});
}

/// The value of readings for one iteration: their median, or the claimed percentile.
/// For a rate it is their mean, because the work is spread over all of the time.
inline double time_of_readings(const claim_context& context, const std::vector<double>& readings_ns) {
    if (is_rate(context.query.metric)) return mean_of(readings_ns);
    return needs_single_iterations(context.query) ? percentile_of(readings_ns, percentile_level(context))
                                                  : median(readings_ns);
}

/// Whether waiting for a processor can only speak against the claim: one on wall time that a longer time violates.
inline bool suffers_from_waiting(const claim_context& context) {
    return traits_of(context.query.metric).from == reading::wall_clock &&
           context.claims_less() != is_rate(context.query.metric);
}

/// Whether this time is inside the bound of the claim.
inline bool is_inside(const claim_context& context, double time_ns) {
    return context.sign() * (value_from_time(context, time_ns) - context.value()) > 0.0;
}

/// The readings of a block as they count. One beyond the bound that waited for a processor counts without the waiting,
/// because that others use the machine does not make a claim false: for the claim if it then is inside the bound, and
/// against it if it is beyond by more than what caches cost that are cold after a wait. Others are left out.
inline std::vector<double> counted_readings(const claim_context& context, const timed_block& b) {
    constexpr double cold_caches = 1.25;
    if (b.working.empty() || !suffers_from_waiting(context)) return b.readings_ns;
    std::vector<double> counted;
    for (std::size_t i = 0; i < b.readings_ns.size(); ++i) {
        const double whole = b.readings_ns[i];
        const working_time working = b.working[i];
        const bool has_waited = working.ns != whole;
        const bool speaks_for = working.is_exact && is_inside(context, working.ns);
        const bool speaks_against = !is_inside(context, working.ns / cold_caches);
        if (!has_waited || is_inside(context, whole)) counted.push_back(whole);
        else if (working.ns > 0.0 && (speaks_for || speaks_against)) counted.push_back(working.ns);
    }
    return counted;
}

/// The blocks of a series in order: existing ones first, then fresh ones.
class block_feed {
public:
    block_feed(const claim_context& context, block_series& series)
        : context_(context), series_(series), time_(clocks_for(context, context.query.metric)) {}
    block_feed(const block_feed&) = delete;
    block_feed& operator=(const block_feed&) = delete;
    /// Stores the cost so far in the series.
    ~block_feed() {
        if (source_) series_.spent_ns = static_cast<double>(time_.wall.now() - started_ns_);
    }

    [[nodiscard]] const timed_block& at(std::size_t index) {
        if (index < series_.blocks.size()) return series_.blocks[index];
        if (!source_) start();
        series_.blocks.push_back(source_->next());
        return series_.blocks.back();
    }

private:
    void start() {
        const std::int64_t now = time_.wall.now();
        started_ns_ = now - static_cast<std::int64_t>(series_.spent_ns);
        time_budget& time = series_.calibration.time;
        // Further blocks of a series are spread from now on. Otherwise they would be bunched, because their turns are
        // long past.
        if (!series_.blocks.empty()) time.started_ns = now - time.calibrated_ns;
        source_.emplace(context_.subjects[0], series_.calibration, time_, context_.run.system().rest);
    }

    const claim_context& context_;
    block_series& series_;
    clocks time_;
    std::optional<block_source> source_{};
    std::int64_t started_ns_{};
};

/// The logarithm of a block's value; none if none of its readings counts.
inline std::optional<double> log_of_block(const claim_context& context, const block_series& series,
                                          const timed_block& b) {
    const std::vector<double> readings_ns = counted_readings(context, b);
    if (readings_ns.empty()) return {};
    const double value = value_from_time(context, time_of_readings(context, readings_ns));
    return reports_own_value(context.query.metric) ? log_of_value(value)
                                                   : log_of(value, series.calibration.x.iterations);
}

/// The blocks of a claim so far.
struct judged_blocks {
    std::size_t taken{};
    std::vector<double> logs{};  ///< of those that count
};

inline void describe_blocks(const claim_context& context, claim_result& result, block_series& series,
                            const judged_blocks& judged) {
    std::vector<double> times;
    for (const timed_block& b : std::span(series.blocks).first(judged.taken))
        times.insert(times.end(), b.readings_ns.begin(), b.readings_ns.end());
    if (!judged.logs.empty()) result.estimate = estimate_of_logs(judged.logs);
    result.subjects = {
        summary_of(context.names.front(), std::move(times), series.calibration.x.iterations, unit_of_samples(context))};
    result.evidence.rounds = judged.logs.size();
    describe_cost(result, series);
}

/// Absolute times move with the machine. The distances in this advice are calibrated (stats/README.md, "Blocks").
inline void advise_distance(const claim_context& context, claim_result& result) {
    if (is_counted(context.query.metric) || reports_own_value(context.query.metric)) return;
    if (needs_single_iterations(context.query)) {
        result.advice.emplace_back(
            "an absolute percentile varies with the machine, more than a median does: for bodies of some 100 us on your own quiet "
            "machine, set the bound 20 % away; for shorter bodies or on a shared machine, a factor of 2; a comparison in one run, "
            "p99(latency(a)) < 1.2 * p99(latency(b)), needs less");
        return;
    }
    result.advice.emplace_back(
        "an absolute time varies with the machine: set the bound 5 % away on your own machine, 20 % on a shared one, 50 % for memory- "
        "or thread-bound code; a ratio of two subjects in one run needs less");
}

inline std::string what_blocks_give(const claim_context& context) {
    if (is_rate(context.query.metric)) return "means of blocks";
    if (!needs_single_iterations(context.query)) return "medians of blocks";
    return "percentiles of blocks of " + std::to_string(percentile_block(percentile_level(context))) +
           " single iterations";
}

/// The value of all readings in the first blocks; nothing where they differ.
inline std::optional<double> agreed_value(const block_series& series, std::size_t count) {
    const double first = series.blocks.front().readings_ns.front();
    for (std::size_t i = 0; i < count; ++i) {
        const std::vector<double>& readings = series.blocks[i].readings_ns;
        if (std::ranges::any_of(readings, [first](double r) { return r != first; })) return {};
    }
    return first;
}

/// The value for an exact comparison, if there is one: that of all readings.
/// At a bound of 0 the greatest reading counts, as for counts: readings that differ are not always 0.
inline std::optional<double> value_to_compare(const claim_context& context, const block_series& series,
                                              std::size_t count) {
    if (traits_of(context.query.metric).from != reading::body) return {};
    if (context.value() != 0.0 || !context.claims_less()) return agreed_value(series, count);
    double greatest = 0.0;
    for (std::size_t i = 0; i < count; ++i)
        greatest = std::max(greatest, std::ranges::max(series.blocks[i].readings_ns));
    return greatest;
}

inline double log_of_bound(const claim_context& context, double bound) {
    return reports_own_value(context.query.metric) ? log_of_value(bound) : log_of(bound);
}

/// Feeds the test with blocks until it has decided, or all of the claim's blocks are taken.
inline judged_blocks feed_blocks(const claim_context& context, block_series& series, sequential& test) {
    const double log_limit = log_of_bound(context, context.value());
    const sequential_settings settings = test.progress().settings;
    block_feed feed(context, series);
    judged_blocks judged;
    drive(test, [&](std::size_t size) -> std::optional<double> {
        if (size >= settings.first_look && value_to_compare(context, series, size)) return {};
        while (judged.taken < settings.max_size) {
            const auto log = log_of_block(context, series, feed.at(judged.taken++));
            if (!log) continue;
            judged.logs.push_back(*log);
            return context.sign() * (*log - log_limit);
        }
        return {};
    });
    return judged;
}

/// Says of an undecided claim that its process waited for a processor in most blocks.
inline void explain_waiting(claim_result& result, const judged_blocks& judged) {
    if (result.verdict != verdict::undecided || 2 * judged.logs.size() >= judged.taken) return;
    result.reason =
        fmt::format("its process waited for a processor in {} of {} blocks, which do not count: {} threads "
                    "wanted to run on {} cores",
                    judged.taken - judged.logs.size(), judged.taken, result.disturbed.runnable, result.disturbed.cores);
}

/// Judges blocks by their distances from the bound. A metric whose readings all agree has no noise, so it needs no
/// margin.
void judge_blocks(const claim_context& context, claim_result& result) {
    const double bound = context.value();
    result.bound = bound;
    result.evidence.method = what_blocks_give(context) + " spread over the budget, " + std::string(sequential::method);
    result.evidence.approximate = true;
    auto [settings, minimum] = limits_of_rounds(context, target_blocks, "blocks");
    std::optional<sequential> test;
    std::optional<double> agreed;
    judged_blocks judged;
    double block_seconds = 0.0;
    {
        const measuring_scope measuring(context, result);
        block_series& series = block_series_for(context, result, minimum);
        settings.max_size =
            std::clamp<std::size_t>(static_cast<std::size_t>(series.calibration.blocks), minimum, settings.max_size);
        test.emplace(settings);
        judged = feed_blocks(context, series, *test);
        describe_blocks(context, result, series, judged);
        note_blocks(context, result, series.blocks);
        agreed = value_to_compare(context, series, test->size());
        block_seconds = result.evidence.budget_seconds / series.calibration.blocks;
    }
    if (agreed) return compare_agreed(context, result, *agreed, bound);
    conclude(context, result, test->progress(),
             {"blocks", block_seconds, settings.max_size, static_cast<std::size_t>(target_blocks)});
    explain_waiting(result, judged);
    if (result.verdict != verdict::holds) advise_distance(context, result);
}

const procedure blocks_of_samples{"blocks spread over the budget",
                                  [](const claim_context& context) {
                                      const metric_kind m = context.query.metric;
                                      return is_judged_by_itself(context) && !context.is_relative() &&
                                             (is_clocked(m) || reports_own_value(m));
                                  },
                                  judge_blocks};

}  // namespace perfspec::detail
