// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Powers of growth: a block has four samples of every size, in random order. Each block gives one slope, and the slopes
// go into the sequential test (stats/README.md, "Growth").

#include <perfspec/judge/procedure.hpp>
#include <perfspec/judge/procedures/growth.hpp>
#include <perfspec/judge/procedures/pairs-inl.hpp>
#include <perfspec/judge/progress.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/stats/interval.hpp>
#include <perfspec/stats/summary.hpp>
#include <perfspec/stats/trend.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace perfspec::detail {

/// The calibrated bodies of all sizes, and their measurements.
struct growth_series {
    std::vector<sample_calibration> sizes{};
    std::vector<std::vector<double>> times_ns{};  ///< by size
    std::vector<double> powers{};                 ///< one per block
    double block_ns{};
    std::mt19937_64 order{};
    std::int64_t started_ns{};
};

inline growth_series calibrate_growth(const claim_context& context) {
    const query_description& q = context.query;
    const clocks time = clocks_for(context, q.metric);
    measuring_settings settings = settings_of(context, q.metric);
    settings.warmup /= static_cast<std::int64_t>(q.subjects.size());
    growth_series series;
    series.started_ns = time.wall.now();
    series.times_ns.resize(q.subjects.size());
    for (const subject& x : q.subjects) {
        series.sizes.push_back(calibrate_samples(x, settings, time));
        const subject_calibration& c = series.sizes.back().x;
        series.block_ns += samples_of_a_size * (c.call_ns + c.untimed_ns) * static_cast<double>(c.iterations);
    }
    return series;
}

/// Takes one block and returns its power of n.
inline double take_growth_block(const claim_context& context, growth_series& series) {
    const query_description& q = context.query;
    std::vector<std::size_t> turns;
    for (std::size_t i = 0; i < q.subjects.size(); ++i) turns.insert(turns.end(), samples_of_a_size, i);
    std::ranges::shuffle(turns, series.order);
    std::vector<growth_point> points;
    for (const std::size_t i : turns) {
        const sample_calibration& c = series.sizes[i];
        const double ns =
            take_positive_sample(q.subjects[i], c.x.iterations, c.warm, context.run.system().wall).per_iteration();
        series.times_ns[i].push_back(ns);
        points.push_back({q.said<growth_sizes>().sizes[i], ns, 1.0});
    }
    return growth_slope(points);
}

/// The time that may be spent: the budget, or the time for twenty blocks if that is longer, up to the cap.
/// Throws measurement_failure where the minimum of blocks does not fit.
inline double growth_budget_ns(const claim_context& context, const growth_series& series, double calibrated_ns,
                               std::size_t minimum) {
    const auto given = static_cast<double>(context.plan.budget.count());
    const double longest = context.plan.budget_given ? given : static_cast<double>(context.plan.cap.count());
    const double needed = calibrated_ns + static_cast<double>(minimum) * series.block_ns;
    if (needed > longest)
        throw measurement_failure(failure_kind::too_slow,
                                  std::to_string(minimum) + " blocks of this growth need about " +
                                      format_seconds(needed) + ", and " + format_seconds(longest) +
                                      " is allowed: give smaller sizes, or " +
                                      (context.plan.budget_given ? "a larger budget" : "a larger cap"));
    return std::min(longest, std::max(given, calibrated_ns + target_blocks * series.block_ns));
}

/// Takes the powers of blocks until the time is over, but at least a minimum.
class growth_feed {
public:
    growth_feed(const claim_context& context, growth_series& series, std::uint64_t seed, std::size_t at_least)
        : context_(context), series_(series), at_least_(at_least),
          budget_ns_(growth_budget_ns(context, series, spent_ns(), at_least)) {
        series.order.seed(seed);
        announce_cost(context, budget_ns_ * 1e-9);
    }

    [[nodiscard]] std::optional<double> next() {
        if (series_.powers.size() >= at_least_ && spent_ns() > budget_ns_) return {};
        series_.powers.push_back(take_growth_block(context_, series_));
        return series_.powers.back();
    }

    [[nodiscard]] double spent_ns() const {
        return static_cast<double>(context_.run.system().wall.now() - series_.started_ns);
    }
    [[nodiscard]] double budget_ns() const noexcept { return budget_ns_; }

private:
    const claim_context& context_;
    growth_series& series_;
    std::size_t at_least_;
    double budget_ns_;
};

inline void describe_growth(const claim_context& context, claim_result& result, const growth_series& series,
                            const growth_feed& feed) {
    result.evidence.seconds = feed.spent_ns() * 1e-9;
    result.evidence.budget_seconds = feed.budget_ns() * 1e-9;
    const centre_interval interval = signed_rank_interval(series.powers);
    result.estimate = estimate{interval.centre, median(series.powers), interval.low, interval.high, interval.level};
    result.subjects.clear();
    for (std::size_t i = 0; i < series.sizes.size(); ++i)
        result.subjects.push_back(summary_of(context.names[i], series.times_ns[i], series.sizes[i].x.iterations));
    result.evidence.rounds = series.powers.size();
}

/// Adds the summary of powers that a stored launch keeps of its blocks.
inline void add_summary_of_powers(const claim_context& context, claim_result& result, const growth_series& series) {
    result.subjects.push_back(summary_of(context.text, series.powers, 1, dimension::power));
}

void measure_growth(const claim_context& context, claim_result& result) {
    result.evidence.seed = seed_of(context);
    growth_series series = calibrate_growth(context);
    growth_feed feed(context, series, result.evidence.seed, min_blocks);
    while (series.powers.size() < min_blocks) static_cast<void>(feed.next());
    describe_growth(context, result, series, feed);
    if (context.is_child()) add_summary_of_powers(context, result, series);
    result.evidence.method = std::string("centre of blocks: ") + std::string(growth_method);
    set_verdict(result, verdict::holds);
}

inline void conclude_growth(const claim_context& context, claim_result& result, const test_progress& test,
                            const unit_of_evidence& unit) {
    if (test.decided != decision::none) return conclude(context, result, test, unit);
    describe_test(result, test);
    set_verdict(result, verdict::undecided,
                std::to_string(test.size) + " blocks do not show whether the growth is within the bound or beyond it");
    result.advice.emplace_back(
        "give larger sizes, or sizes farther apart: with small sizes, caches and fixed costs hide the growth");
}

void judge_growth(const claim_context& context, claim_result& result) {
    if (!context.is_bounded()) {
        const measuring_scope measuring(context, result);
        return measure_growth(context, result);
    }
    result.evidence.seed = seed_of(context);
    const double sign = context.sign();
    const double bound = context.value() - sign * growth_tolerance;
    result.bound = bound;
    result.bound_text = format_value(context.value(), dimension::power) + " and a tolerance of " +
                        format_value(growth_tolerance, dimension::power) +
                        "; it detects a wrong power, but not a factor log n";
    if (!std::isfinite(bound))
        return set_verdict(result, verdict::invalid,
                           "the power of a growth is a finite number, such as order::power(1)");
    const auto [settings, minimum] = limits_of_rounds(context, target_blocks, "blocks");
    sequential test(settings);
    result.evidence.approximate = true;  // slopes over sizes that are not mirrored may be skewed
    result.evidence.method = std::string("blocks of sizes in random order, ") + std::string(growth_method) + ", " +
                             std::string(sequential::method);
    double block_seconds = 0.0;
    {
        const measuring_scope measuring(context, result);
        growth_series series = calibrate_growth(context);
        growth_feed feed(context, series, result.evidence.seed, minimum);
        drive(test, [&](std::size_t) -> std::optional<double> {
            const auto power = feed.next();
            return power ? std::optional(sign * (*power - bound)) : std::nullopt;
        });
        describe_growth(context, result, series, feed);
        block_seconds = series.block_ns * 1e-9;
    }
    conclude_growth(context, result, test.progress(), {"blocks", block_seconds, settings.max_size, target_blocks});
}

const procedure slopes_of_growth{"blocks of sizes in random order",
                                 [](const claim_context& context) {
                                     return traits_of(context.query.metric).from == reading::sizes &&
                                            !context.is_against_baseline();
                                 },
                                 judge_growth};

}  // namespace perfspec::detail
