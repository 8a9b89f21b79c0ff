// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Powers of complexity: a block has four samples of every size, in random order. Each block gives one slope, and the
// slopes go into the sequential test (stats/README.md, "Complexity").

#include <perfspec/claim/estimates.hpp>
#include <perfspec/claim/observing.hpp>
#include <perfspec/claim/partial_result.hpp>
#include <perfspec/claim/progress.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/procedures/conclude.hpp>
#include <perfspec/procedures/procedure.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// The calibrated bodies of all sizes, and their measurements.
struct complexity_series {
    std::vector<sample_calibration> sizes{};
    std::vector<std::vector<double>> times_ns{};  ///< by size
    std::vector<double> powers{};                 ///< of the blocks that count
    std::size_t blocks{};                         ///< all that were taken
    double block_ns{};
    std::mt19937_64 order{};
    std::int64_t started_ns{};
    double spent_ns{};
    double budget_ns{};
};

inline complexity_series calibrate_complexity(const claim_context& context) {
    const query_description& q = context.query;
    const clocks time = clocks_for(context, q.metric);
    measuring_settings settings = settings_of(context, q.metric);
    settings.warmup /= static_cast<std::int64_t>(q.subjects.size());
    complexity_series series;
    series.started_ns = time.wall.now();
    series.times_ns.resize(q.subjects.size());
    for (const subject& x : q.subjects) {
        series.sizes.push_back(calibrate_samples(x, settings, time));
        const subject_calibration& c = series.sizes.back().x;
        series.block_ns += samples_of_a_size * c.sample_ns();
    }
    return series;
}

/// The powers of n that a block may have; one power, unless its process waited for a processor at an unknown time.
struct power_range {
    double low{};
    double high{};
};

/// Takes one block.
inline power_range take_complexity_block(const claim_context& context, complexity_series& series) {
    constexpr double least_share = 1e-3;  // a time needs a logarithm
    const query_description& q = context.query;
    const std::vector<double>& sizes = q.payload_as<complexity_sizes>().sizes;
    double mean = 0.0;
    for (const double n : sizes) mean += std::log(n) / static_cast<double>(sizes.size());
    std::vector<std::size_t> turns;
    for (std::size_t i = 0; i < q.subjects.size(); ++i) turns.insert(turns.end(), samples_of_a_size, i);
    std::ranges::shuffle(turns, series.order);
    std::vector<complexity_point> flattest, steepest;
    for (const std::size_t i : turns) {
        const sample_calibration& c = series.sizes[i];
        const sample taken =
            take_metered_sample(q.subjects[i], c.x.iterations, c.warm, clocks_for(context, q.metric), c.x.metered());
        const double ns = taken.per_iteration();
        const working_time working = taken.working();
        series.times_ns[i].push_back(working.is_exact ? working.ns : ns);
        const double least = std::max(working.ns, least_share * ns), most = working.is_exact ? least : ns;
        const bool is_large = std::log(sizes[i]) > mean;
        flattest.push_back({sizes[i], is_large ? least : most});
        steepest.push_back({sizes[i], is_large ? most : least});
    }
    return {complexity_slope(flattest), complexity_slope(steepest)};
}

/// The power of a block that counts: the one nearest to the bound, if all possible ones are on one side of it.
inline std::optional<double> counted_power(const power_range& block, double bound) {
    if (block.low > bound) return block.low;
    return block.high <= bound ? std::optional(block.high) : std::nullopt;
}

/// The time limit: the budget, or the time for twenty blocks if that is longer, up to the cap. Throws
/// measurement_failure if the minimum of blocks does not fit.
inline double complexity_budget_ns(const claim_context& context, const complexity_series& series, double calibrated_ns,
                                   std::size_t minimum) {
    const auto budget = static_cast<double>(context.plan.budget.count());
    const double longest = static_cast<double>(context.plan.cap.count());
    const double needed = calibrated_ns + static_cast<double>(minimum) * series.block_ns;
    if (needed > longest)
        throw measurement_failure(failure_kind::too_slow, "this claim needs " + std::to_string(minimum) +
                                                              " blocks of all sizes, about " + format_seconds(needed) +
                                                              ", but the cap is " + format_seconds(longest) +
                                                              ": use smaller sizes, or a larger cap");
    return std::min(longest, std::max(budget, calibrated_ns + target_blocks * series.block_ns));
}

inline claim_result with_complexity(const claim_context& context, claim_result result,
                                    const complexity_series& series) {
    if (!series.powers.empty()) {
        const center_interval interval = signed_rank_interval(series.powers);
        result.estimate = estimate{interval.center, interval.low, interval.high, interval.level};
    }
    for (std::size_t i = 0; i < series.sizes.size(); ++i)
        result.subjects.push_back(summary_of(context.names[i], series.times_ns[i], series.sizes[i].x.iterations));
    result.evidence.rounds = series.powers.size();
    result.evidence.seconds = series.spent_ns * 1e-9;
    result.evidence.budget_seconds = series.budget_ns * 1e-9;
    return result;
}

/// Takes blocks until `goes_on` returns false for the newest one, the time is over, or there are `maximum`; at least
/// `minimum`.
template <class GoesOn>
complexity_series take_complexity(const claim_context& context, std::uint64_t seed, std::size_t minimum,
                                  std::size_t maximum, GoesOn goes_on) {
    complexity_series series = calibrate_complexity(context);
    const auto spent_ns = [&] { return static_cast<double>(context.run.system().wall.now() - series.started_ns); };
    series.budget_ns = complexity_budget_ns(context, series, spent_ns(), minimum);
    series.order.seed(seed);
    announce_cost(context, series.budget_ns * 1e-9);
    do {
        ++series.blocks;
    } while (goes_on(series, take_complexity_block(context, series)) && series.blocks < maximum &&
             (series.blocks < minimum || spent_ns() <= series.budget_ns));
    series.spent_ns = spent_ns();
    return series;
}

/// The factor by which the largest size's time is beyond its bound, if the power is beyond by `power`.
inline double times_beyond(const claim_context& context, double power) {
    const auto [smallest, largest] = std::ranges::minmax(context.query.payload_as<complexity_sizes>().sizes);
    return std::pow(largest / smallest, power);
}

claim_result measure_complexity(const claim_context& context) {
    claim_result result = empty_result(context);
    result.evidence.seed = seed_of(context);
    const complexity_series series = take_complexity(context, result.evidence.seed, min_blocks, min_blocks,
                                                     [](complexity_series& all, const power_range& block) {
                                                         all.powers.push_back(std::midpoint(block.low, block.high));
                                                         return true;
                                                     });
    result = with_complexity(context, std::move(result), series);
    if (context.is_child())  // a stored process keeps a summary of the powers of its blocks
        result.subjects.push_back(summary_of(context.text, series.powers, 1, dimension::power));
    result.evidence.method = std::string("center of blocks: ") + std::string(complexity_method);
    return judged(std::move(result), {verdict::holds});
}

claim_result judge_complexity(const claim_context& context) {
    claim_result result = empty_result(context);
    result.evidence.seed = seed_of(context);
    const double bound = context.value() - context.sign() * complexity_tolerance;
    result.bound = bound;
    result.bound_text = format_value(context.value(), dimension::power) + " and a tolerance of " +
                        format_value(complexity_tolerance, dimension::power) +
                        "; it detects a wrong power, but not a factor log n";
    if (!std::isfinite(bound))
        return judged(std::move(result),
                      {verdict::error, "the claimed power is not a finite number: write one such as order::power(1)"});
    auto [settings, minimum] = limits_of_rounds(context, target_blocks, "blocks");
    if (context.is_strict()) settings.margin = std::expm1(-complexity_tolerance);  // without the tolerance
    sequential test(settings);
    result.evidence.approximate = true;  // slopes over sizes that are not mirrored may be skewed
    result.evidence.method = std::string("blocks of sizes in random order, ") + std::string(complexity_method) + ", " +
                             std::string(sequential::method);
    const auto add = [&](complexity_series& all, const power_range& block) {
        if (const auto power = counted_power(block, bound)) {
            all.powers.push_back(*power);
            test.add(context.sign() * (*power - bound));
        }
        return test.is_open();
    };
    auto [series, observation] = measure(context, result, [&, at_least = minimum, at_most = settings.max_size] {
        return take_complexity(context, result.evidence.seed, at_least, at_most, add);
    });
    result = observed(with_complexity(context, std::move(result), series), std::move(observation));
    std::string excuse;
    if (result.estimate && context.claims_less())
        excuse = reason_of_sharing(std::log(times_beyond(context, result.estimate->value - bound)), result.disturbed);
    result = conclude(context, std::move(result), test.progress(),
                      {"blocks", series.block_ns * 1e-9, settings.max_size, target_blocks}, std::move(excuse));
    result = with_reason_of_interruptions(std::move(result), "blocks", series.powers.size(),
                                          series.blocks - series.powers.size());
    const bool is_near = result.estimate && std::abs(result.estimate->value - bound) < 0.5;
    if ((result.verdict == verdict::undecided || (result.verdict == verdict::violated && is_near)) &&
        !has_waited(result))
        result.advice.emplace_back(
            "use larger sizes, or sizes farther apart, because fixed costs hide the complexity of small sizes, and "
            "sizes that stop fitting into a cache add to it");
    return result;
}

}  // namespace perfspec::inline v0_2::detail
