// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// best_mixture(a, b, …). Each round runs whole variants, and their chains of layers or prefixes, in random order.

#include <perfspec/claim/estimates.hpp>
#include <perfspec/claim/partial_result.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/explain/best_mixture.hpp>
#include <perfspec/explain/layer_rounds-inl.hpp>
#include <perfspec/explain/layer_subtraction.hpp>
#include <perfspec/explain/layers-inl.hpp>
#include <perfspec/explain/table_metrics-inl.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/procedures/procedure.hpp>
#include <perfspec/quantity/format.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

inline double center_of(const std::vector<double>& times) { return estimate_of(times).value; }

/// The times of one variant in a mixture, each from the measurement with the smallest one.
struct variant_times {
    std::vector<double> whole{};                ///< [rounds]
    std::uint64_t iterations{};                 ///< of a sample of the whole
    std::vector<std::vector<double>> layers{};  ///< [layers][rounds]

    /// [layers]: the center of each.
    [[nodiscard]] std::vector<double> centers() const {
        std::vector<double> all;
        for (const auto& times : layers) all.push_back(center_of(times));
        return all;
    }
    /// [rounds]: the time of all layers together. Adds rounds of the same number, also of different measurements.
    [[nodiscard]] std::vector<double> sums() const { return turn{.times = layers}.sums(); }

    void keep_smaller(const variant_times& other) {
        // Both get the same number of rounds, so their centers are comparable.
        const auto take_smaller = [](std::vector<double>& own, std::vector<double> others) {
            const std::size_t rounds = std::min(own.size(), others.size());
            own.resize(rounds);
            others.resize(rounds);
            const bool smaller = center_of(others) < center_of(own);
            if (smaller) own = std::move(others);
            return smaller;
        };
        if (take_smaller(whole, other.whole)) iterations = other.iterations;
        for (std::size_t i = 0; i < layers.size(); ++i) take_smaller(layers[i], other.layers[i]);
    }
};

using all_variant_times = std::vector<variant_times>;

/// [rounds]: the time of the chosen layers and the switches between them.
inline std::vector<double> mixture_times(const all_variant_times& times, const layer_choice& choice,
                                         double switching_ns) {
    std::vector<double> sums(times[0].layers[0].size(), static_cast<double>(choice.switches) * switching_ns);
    for (std::size_t i = 0; i < choice.sides.size(); ++i) {
        const std::vector<double>& from = times[index_of(choice.sides[i])].layers[i];
        for (std::size_t round = 0; round < sums.size(); ++round) sums[round] += from[round];
    }
    return sums;
}

/// The time of a whole variant divided by that of the mixture, paired in rounds.
inline estimate gap_between(const std::vector<double>& whole, const std::vector<double>& mixture) {
    std::vector<double> logs;
    for (std::size_t i = 0; i < whole.size(); ++i) logs.push_back(log_of(whole[i]) - log_of(mixture[i]));
    const estimate log_gap = estimate_of(logs);
    return {std::exp(log_gap.value), std::exp(log_gap.low), std::exp(log_gap.high), log_gap.level};
}

inline mixture_settings settings_of_mixture(const claim_context& context) { return mixture_of(context).settings; }

inline bool by_subtraction(const claim_context& context) {
    return settings_of_mixture(context).from == layer_timing::subtraction;
}

inline double switching_ns(const claim_context& context) {
    return static_cast<double>(settings_of_mixture(context).switching.count());
}

inline layer_choice chosen_by(const claim_context& context, const all_variant_times& times) {
    std::vector<std::vector<double>> centers;
    for (const variant_times& variant : times) centers.push_back(variant.centers());
    return choose_layers(centers, switching_ns(context));
}

/// Whether the time of a layer is resolved: a difference of prefixes may be less than their noise.
inline bool is_resolved(const claim_context& context, const std::vector<double>& times) {
    return !by_subtraction(context) || subtracted(times).resolved;
}

/// "chosen", "unresolved", or both.
inline std::string mark_of(bool chosen, bool resolved) {
    if (resolved) return chosen ? "chosen" : "";
    return chosen ? "chosen, unresolved" : "unresolved";
}

inline std::vector<part_value> rows_of_mixture(const claim_context& context, const all_variant_times& times,
                                               const layer_choice& choice) {
    const std::vector<std::string> layers = mixture_of(context).names;
    std::vector<part_value> cells;
    for (std::size_t i = 0; i <= layers.size(); ++i) {
        for (std::size_t side = 0; side < times.size(); ++side) {
            const bool is_layer = i < layers.size();
            const estimate value = estimate_of(is_layer ? times[side].layers[i] : times[side].sums());
            const std::string mark =
                is_layer ? mark_of(index_of(choice.sides[i]) == side, is_resolved(context, times[side].layers[i]))
                         : std::string();
            cells.push_back(time_part(is_layer ? layers[i] : "sum", context.names[side], value,
                                      value.value / center_of(times[side].whole), mark));
        }
    }
    return cells;
}

/// "rounds of both variants and of their layers in random order, the faster layer of each by dynamic programming"
inline std::string method_of_mixture(const claim_context& context) {
    const std::size_t variants = mixture_of(context).variants;
    return "rounds of " + (variants == 2 ? "both variants" : "all " + std::to_string(variants) + " variants") +
           " and of their " +
           (by_subtraction(context) ? "prefixes in random order, " + std::string(subtracted_layer::method)
                                    : "layers in random order") +
           (variants == 2 ? ", the faster" : ", the fastest") + " layer of each by dynamic programming";
}

/// Advice on a choice, such as how many layers were chosen by a time that is less than its noise.
inline std::vector<std::string> advice_on_mixture(const claim_context& context, const all_variant_times& times,
                                                  const layer_choice& choice) {
    std::vector<std::string> advice{
        "this estimate is too small, because it is a minimum of noisy times. Build a subject that runs this mixture, "
        "and judge it: speedup(a, hybrid) > 1.0"};
    const std::size_t layers = choice.sides.size();
    std::size_t unresolved = 0;
    for (std::size_t i = 0; i < layers; ++i)
        if (!is_resolved(context, times[index_of(choice.sides[i])].layers[i])) ++unresolved;
    if (unresolved > 0)
        advice.push_back("the noise of subtraction is larger than the chosen times of " + std::to_string(unresolved) +
                         " of " + std::to_string(layers) + (layers == 1 ? " layer" : " layers") +
                         ", so chance decides there. Take more rounds, or use .from = layer_timing::timers");
    return advice;
}

/// The time of each whole divided by that of the mixture.
inline std::vector<part_value> gaps_of(const claim_context& context, const all_variant_times& times,
                                       const std::vector<double>& mixture) {
    std::vector<part_value> cells;
    for (std::size_t side = 0; side < times.size(); ++side) {
        estimate gap = gap_between(times[side].whole, mixture);
        // Rounds of different measurements are not pairs, so their differences have no interval.
        if (settings_of_mixture(context).best_of > 1) gap = without_interval(gap.value);
        // A round that subtraction puts at zero or below has no ratio.
        if (by_subtraction(context) && std::ranges::min(mixture) <= 0.0)
            gap = without_interval(center_of(times[side].whole) / center_of(mixture));
        cells.push_back({"end to end / best mixture", context.names[side], dimension::ratio, gap, 0.0, {}});
    }
    return cells;
}

/// The result of these times. An error if the chosen layers together take no time, because differences of prefixes may
/// be below zero.
inline claim_result with_mixture(const claim_context& context, claim_result result, const all_variant_times& times) {
    const layer_choice choice = chosen_by(context, times);
    const std::vector<double> mixture = mixture_times(times, choice, switching_ns(context));
    result.estimate = estimate_of(mixture);
    result.parts = rows_of_mixture(context, times, choice);
    for (std::size_t side = 0; side < times.size(); ++side) {
        result.subjects.push_back(summary_of(context.names[side], times[side].whole, times[side].iterations));
        result.parts.push_back(time_part("end to end", context.names[side], estimate_of(times[side].whole), 1.0));
    }
    result.evidence.method = method_of_mixture(context);
    if (by_subtraction(context) && !(result.estimate->value > 0.0))
        return judged(
            std::move(result),
            {verdict::error,
             "the chosen layers take no time together, because the noise of the prefixes is larger than their times. "
             "Take more rounds, or use layer_timing::timers"});
    append(result.parts, gaps_of(context, times, mixture));
    return judged(std::move(result), {verdict::holds, {}, advice_on_mixture(context, times, choice)});
}

/// The largest difference, as a fraction, between measurements of one layer of one variant.
inline double largest_difference(const std::vector<all_variant_times>& measurements) {
    double largest = 0.0;
    for (std::size_t side = 0; side < measurements[0].size(); ++side) {
        std::vector<double> low = measurements[0][side].centers();
        std::vector<double> high = low;
        for (const all_variant_times& each : measurements) {
            const std::vector<double> centers = each[side].centers();
            for (std::size_t i = 0; i < low.size(); ++i) {
                low[i] = std::min(low[i], centers[i]);
                high[i] = std::max(high[i], centers[i]);
            }
        }
        for (std::size_t i = 0; i < low.size(); ++i)
            if (low[i] > 0.0) largest = std::max(largest, high[i] / low[i] - 1.0);
    }
    return largest;
}

/// Advice on a minimum over measurements: how far these differ, and whether they agree on the choice.
inline std::string advice_on_best_of(const claim_context& context, const std::vector<all_variant_times>& measurements) {
    std::vector<layer_choice> choices;
    for (const all_variant_times& each : measurements) choices.push_back(chosen_by(context, each));
    const std::size_t n = choices[0].sides.size();
    std::size_t different = 0;
    for (std::size_t i = 0; i < n; ++i)
        if (std::ranges::any_of(choices, [&](const layer_choice& c) { return c.sides[i] != choices[0].sides[i]; }))
            ++different;
    return "the best of " + std::to_string(measurements.size()) +
           " measurements is even smaller than one: their times of a layer differ by up to " +
           format_percentage(largest_difference(measurements)) + ", and their choices differ for " +
           std::to_string(different) + " of " + std::to_string(n) + (n == 1 ? " layer" : " layers");
}

/// The turns of a mixture: all wholes; then for each variant its chain of layers, or its prefixes one by one.
inline std::vector<turn> turns_of_mixture(const claim_context& context) {
    const layers_of_variants& mixture = mixture_of(context);
    const std::size_t n = mixture.names.size();
    const auto reading =
        mixture.settings.from == layer_timing::operators ? turn_reading::operators : turn_reading::timers;
    std::vector<turn> turns;
    for (std::size_t side = 0; side < mixture.variants; ++side)
        turns.push_back({.steps = subjects_from(context, side, 1)});
    for (std::size_t side = 0; side < mixture.variants; ++side) {
        const std::vector<subject> parts = subjects_from(context, mixture.variants + side * n, n);
        if (!by_subtraction(context)) turns.push_back({.steps = parts, .reading = reading});
        else
            for (const subject& prefix : parts) turns.push_back({.steps = {prefix}});
    }
    return turns;
}

/// [layers][rounds]: the times of one variant's layers.
inline std::vector<std::vector<double>> layers_in(const claim_context& context, const layer_rounds& all,
                                                  std::size_t side) {
    const layers_of_variants& mixture = mixture_of(context);
    if (!by_subtraction(context)) return all.at(mixture.variants + side).times;
    std::vector<std::vector<double>> prefixes;
    for (std::size_t i = 0; i < mixture.names.size(); ++i)
        prefixes.push_back(all.at(mixture.variants + side * mixture.names.size() + i).times[0]);
    return differences_of_prefixes(prefixes);
}

inline all_variant_times all_variant_times_of(const claim_context& context, const layer_rounds& all) {
    all_variant_times times;
    for (std::size_t side = 0; side < mixture_of(context).variants; ++side)
        times.push_back({all.at(side).times[0], all.iterations(), layers_in(context, all, side)});
    return times;
}

inline claim_result measure_mixture(const claim_context& context) {
    claim_result result = empty_result(context);
    if (settings_of_mixture(context).from == layer_timing::operators && !has_recorder(context))
        return judged(std::move(result),
                      {verdict::error, context.run.system().counts.of({metrics::operators}).begin()});
    std::vector<all_variant_times> measurements;
    for (unsigned i = 0; i < settings_of_mixture(context).best_of; ++i) {
        layer_rounds all(context, turns_of_mixture(context));
        result = all.take(std::move(result), i);
        measurements.push_back(all_variant_times_of(context, all));
    }
    all_variant_times best = measurements[0];
    for (const all_variant_times& each : measurements)
        for (std::size_t side = 0; side < best.size(); ++side) best[side].keep_smaller(each[side]);
    result = with_mixture(context, std::move(result), best);
    if (measurements.size() == 1) return result;
    result.evidence.method = "best of " + std::to_string(measurements.size()) +
                             " measurements, of each layer the smaller: " + result.evidence.method;
    result.advice.push_back(advice_on_best_of(context, measurements));
    return result;
}

const procedure rounds_of_a_mixture{
    "rounds of all subjects in random order",
    [](const claim_context& context) { return context.query.metric == metrics::best_mixture; }, measure_mixture};

}  // namespace perfspec::inline v0_2::detail
