// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Powers of growth: blocks of every size, four times each in random order; a block gives one slope, and the slopes go into the sequential test
// (stats/README.md, "Growth").

#include <perfspec/measure/failure.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/run/judge_pairs-inl.hpp>
#include <perfspec/stats/growth.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace perfspec::detail {

/// The bodies of all sizes, ready to be measured, and what was.
struct growth_series {
    std::vector<sample_calibration> sizes{};
    std::vector<std::vector<double>> times_ns{};  ///< by size
    std::vector<double> powers{};                 ///< one a block
    double block_ns{};
    std::mt19937_64 order{};
    std::int64_t started_ns{};
};

inline growth_series calibrate_growth(const evaluation& e) {
    const query_description& q = e.query();
    const clocks time = clocks_for(e, q.measured);
    measuring_settings settings = settings_of(e, q.measured);
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

/// One block: its power of n.
inline double take_growth_block(const evaluation& e, growth_series& series) {
    const query_description& q = e.query();
    std::vector<std::size_t> turns;
    for (std::size_t i = 0; i < q.subjects.size(); ++i) turns.insert(turns.end(), samples_of_a_size, i);
    std::ranges::shuffle(turns, series.order);
    std::vector<growth_point> points;
    for (const std::size_t i : turns) {
        const sample_calibration& c = series.sizes[i];
        const double ns = take_positive_sample(q.subjects[i], c.x.iterations, c.warm, e.context.around().wall).per_iteration();
        series.times_ns[i].push_back(ns);
        points.push_back({q.sizes[i], ns, 1.0});
    }
    return growth_slope(points);
}

inline void describe_growth(evaluation& e, const growth_series& series) {
    const centre_interval interval = evidence_interval(series.powers);
    e.out.measured = estimate{interval.centre, median(series.powers), interval.low, interval.high, interval.level};
    e.out.subjects.clear();
    for (std::size_t i = 0; i < series.sizes.size(); ++i)
        e.out.subjects.push_back(summary_of(e.names[i], series.times_ns[i], series.sizes[i].x.iterations));
    e.out.evidence.rounds = series.powers.size();
}

/// The seconds that may be spent: the budget, or what twenty blocks need, up to the cap. Throws where so few do not fit.
inline double growth_budget_ns(const evaluation& e, const growth_series& series, double calibrated_ns, std::size_t fewest) {
    const auto given = static_cast<double>(e.plan.budget.count());
    const double longest = e.plan.budget_given ? given : static_cast<double>(e.plan.cap.count());
    const double needed = calibrated_ns + static_cast<double>(fewest) * series.block_ns;
    if (needed > longest)
        throw measurement_failure(failure_kind::too_slow, std::to_string(fewest) + " blocks of this growth need about " +
                                                              format_seconds(needed) + ", and " + format_seconds(longest) +
                                                              " may be spent: give smaller sizes, or " +
                                                              (e.plan.budget_given ? "a larger budget" : "a larger cap"));
    return std::min(longest, std::max(given, calibrated_ns + comfortable_blocks * series.block_ns));
}

/// Takes blocks as long as `open` and in time, but so few at least, and adds what each says.
template <class Add, class Open> void feed_growth(evaluation& e, growth_series& series, std::size_t fewest, Add add, Open open) {
    clock& wall = e.context.around().wall;
    series.order.seed(e.out.evidence.seed);
    const auto spent = [&] { return static_cast<double>(wall.now() - series.started_ns); };
    const double budget = growth_budget_ns(e, series, spent(), fewest);
    announce_cost(e, budget * 1e-9);
    while (open() && (series.powers.size() < fewest || spent() <= budget)) {
        series.powers.push_back(take_growth_block(e, series));
        add(series.powers.back());
    }
    e.out.evidence.seconds = spent() * 1e-9;
    e.out.evidence.budget_seconds = budget * 1e-9;
    describe_growth(e, series);
}

inline std::uint64_t seed_of_growth(const evaluation& e) {
    return e.is_child() ? e.context.child()->seed : e.plan.seed.value_or(e.context.around().draw_seed());
}

/// What a stored launch keeps of its blocks.
inline void add_summary_of_powers(evaluation& e, const growth_series& series) {
    sample_summary of_blocks = summary_of(e.out.query, series.powers, 1);
    of_blocks.unit = dimension::power;
    e.out.subjects.push_back(std::move(of_blocks));
}

void measure_growth(evaluation& e) {
    e.out.evidence.seed = seed_of_growth(e);
    growth_series series = calibrate_growth(e);
    feed_growth(
        e, series, fewest_blocks, [](double) {}, [&] { return series.powers.size() < fewest_blocks; });
    if (e.is_child()) add_summary_of_powers(e, series);
    e.out.evidence.method = std::string("centre of blocks: ") + std::string(growth_method);
    set_verdict(e, verdict::holds);
}

inline void conclude_growth(evaluation& e, const test_progress& test, const unit_of_evidence& unit) {
    if (test.decided != decision::none) return conclude(e, test, unit);
    describe_test(e, test);
    set_verdict(e, verdict::undecided,
                std::to_string(test.size) + " blocks show neither that the growth is within the bound nor that it is beyond");
    e.out.advice.emplace_back("give larger sizes, or sizes farther apart: caches and fixed costs hide the power of small ones");
}

void judge_growth(evaluation& e) {
    if (e.tree().bound == bound_kind::none) {
        const measuring_scope measuring(e);
        return measure_growth(e);
    }
    e.out.evidence.seed = seed_of_growth(e);
    const double sign = sign_of(e.tree().compared);
    const double bound = e.tree().value - sign * growth_tolerance;
    e.out.bound = bound;
    e.out.bound_text = format_value(e.tree().value, dimension::power) + " and a tolerance of " +
                       format_value(growth_tolerance, dimension::power) + ", which tells a wrong power and not a factor log n";
    if (!std::isfinite(bound)) return set_verdict(e, verdict::invalid, "the power of a growth is a finite number, such as order::power(1)");
    const auto [settings, fewest] = limits_of_rounds(e, comfortable_blocks, "blocks");
    sequential test(settings);
    e.out.evidence.approximate = true;  // slopes over sizes that are not mirrored may be askew
    e.out.evidence.method =
        std::string("blocks of sizes in random order, ") + std::string(growth_method) + ", " + std::string(sequential::method);
    double block_seconds = 0.0;
    {
        const measuring_scope measuring(e);
        growth_series series = calibrate_growth(e);
        feed_growth(
            e, series, fewest, [&](double power) { test.add(sign * (power - bound)); },
            [&] { return test.decided() == decision::none && !test.exhausted(); });
        block_seconds = series.block_ns * 1e-9;
    }
    conclude_growth(e, test.progress(), {"blocks", block_seconds, settings.most, comfortable_blocks});
}

}  // namespace perfspec::detail
