// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// layers(x) and oracle(a, b): rounds of whole models, of prefixes and of chains of layers, in an order drawn for each round.

#include <perfspec/run/layer_rounds-inl.hpp>
#include <perfspec/stats/layer_oracle.hpp>
#include <perfspec/stats/layer_subtraction.hpp>

#include <perfspec/quantity/format.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {

inline std::vector<subject> some_of(const evaluation& e, std::size_t from, std::size_t count) {
    const auto begin = e.query().subjects.begin() + static_cast<std::ptrdiff_t>(from);
    return std::vector<subject>(
        begin, begin + static_cast<std::ptrdiff_t>(count));  // NOLINT(modernize-return-braced-init-list): no list of subjects
}

inline bool has_recorder(const evaluation& e) { return e.context.around().counts.operators() != nullptr; }

/// Of layers(x) with n layers: the whole, n prefixes, the timed chain, the recorded chain where somebody records.
inline std::vector<turn> turns_of_layers(const evaluation& e, std::size_t n) {
    std::vector<turn> turns{{.steps = {e.query().subjects[0]}}};
    for (std::size_t i = 0; i < n; ++i) turns.push_back({.steps = {e.query().subjects[1 + i]}});
    turns.push_back({.steps = some_of(e, 1 + n, n), .reading = turn_reading::timers});
    if (has_recorder(e)) turns.push_back({.steps = some_of(e, 1 + n, n), .reading = turn_reading::operators});
    return turns;
}

inline void add_subtraction(evaluation& e, const layer_rounds& all, std::size_t n, std::vector<std::vector<part_value>>& rows) {
    const double whole = e.out.measured->centre;
    std::vector<std::vector<double>> prefixes;
    for (std::size_t i = 0; i < n; ++i) prefixes.push_back(all.at(1 + i).times[0]);
    const auto layers = layer_subtraction(prefixes);
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        const centre_interval& t = layers[i].time;
        sum += t.centre;
        const estimate value{t.centre, t.centre, t.low, t.high, t.level};
        rows[i].push_back({{}, "subtraction", dimension::time, value, t.centre / whole, layers[i].resolved ? "" : "unresolved"});
    }
    rows[n].push_back({{}, "subtraction", dimension::time, {sum, sum, sum, sum, 0.0}, sum / whole, {}});
}

inline void add_chain(evaluation& e, const turn& chain, const char* method, std::vector<std::vector<part_value>>& rows) {
    const double whole = e.out.measured->centre;
    const auto add = [&](std::size_t row, const std::vector<double>& times) {
        const estimate value = estimate_of(times);
        rows[row].push_back({{}, method, dimension::time, value, value.centre / whole, {}});
    };
    for (std::size_t i = 0; i < chain.times.size(); ++i) add(i, chain.times[i]);
    add(chain.times.size(), chain.sums());
}

inline void describe_whole(evaluation& e, const layer_rounds& all, std::size_t i) {
    e.out.subjects.push_back(summary_of(e.names[i], all.at(i).times[0], all.iterations()));
}

inline void describe_layers(evaluation& e, const layer_rounds& all, std::size_t n) {
    e.out.measured = estimate_of(all.at(0).times[0]);
    describe_whole(e, all, 0);
    std::vector<std::vector<part_value>> rows(n + 1);  // the last one is the sum
    add_chain(e, all.at(1 + n), "timer", rows);
    add_subtraction(e, all, n, rows);
    if (has_recorder(e)) add_chain(e, all.at(2 + n), "operators", rows);
    else e.out.advice.emplace_back("nobody in this program records operators: link perfspec::libtorch for their times");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (part_value& cell : rows[i]) {
            cell.part = i < n ? e.names[1 + n + i] : "sum";
            e.out.parts.push_back(std::move(cell));
        }
    }
    add_part(e, "end to end", "timer", *e.out.measured, 1.0);
    e.out.evidence.method = "rounds of the model, its prefixes and its layers in random order, " + std::string(subtracted_layer::method);
}

inline double centre_of(const std::vector<double>& times) { return estimate_of(times).centre; }

/// What an oracle goes by: of each whole and each layer of both variants the times by rounds, from the measurement in which they were smallest.
struct oracle_times {
    std::vector<double> wholes[2];
    std::uint64_t iterations[2];  ///< of a sample of the whole
    std::vector<std::vector<double>> layers[2];

    /// [layers]: the centre of each.
    [[nodiscard]] std::vector<double> centres(std::size_t side) const {
        std::vector<double> all;
        for (const auto& times : layers[side]) all.push_back(centre_of(times));
        return all;
    }
    /// [rounds]: of all layers of a variant together. Layers of several measurements are put together by the number of the round.
    [[nodiscard]] std::vector<double> sums(std::size_t side) const { return turn{.times = layers[side]}.sums(); }

    void keep_smaller(const oracle_times& other) {
        // As many rounds of both, so that what is compared is what is kept.
        const auto keep = [](std::vector<double>& mine, std::vector<double> others) {
            const std::size_t rounds = std::min(mine.size(), others.size());
            mine.resize(rounds);
            others.resize(rounds);
            const bool smaller = centre_of(others) < centre_of(mine);
            if (smaller) mine = std::move(others);
            return smaller;
        };
        for (const std::size_t side : {0U, 1U}) {
            if (keep(wholes[side], other.wholes[side])) iterations[side] = other.iterations[side];
            for (std::size_t i = 0; i < layers[side].size(); ++i) keep(layers[side][i], other.layers[side][i]);
        }
    }
};

/// [rounds]: the layers that were chosen, and the switches between them.
inline std::vector<double> mixture_times(const oracle_times& of, const layer_choice& choice, double switching_ns) {
    std::vector<double> sums(of.layers[0][0].size(), static_cast<double>(choice.switches) * switching_ns);
    for (std::size_t i = 0; i < choice.sides.size(); ++i) {
        const std::vector<double>& from = of.layers[static_cast<std::size_t>(choice.sides[i])][i];
        for (std::size_t round = 0; round < sums.size(); ++round) sums[round] += from[round];
    }
    return sums;
}

/// How many times longer a whole variant takes than the mixture, paired in rounds.
inline estimate gap_between(const std::vector<double>& whole, const std::vector<double>& mixture) {
    std::vector<double> logs;
    for (std::size_t i = 0; i < whole.size(); ++i) logs.push_back(log_of_value(whole[i]) - log_of_value(mixture[i]));
    const estimate of = estimate_of(logs);
    return {std::exp(of.centre), std::exp(of.median), std::exp(of.low), std::exp(of.high), of.level};
}

inline estimate without_interval(double value) { return {value, value, value, value, 0.0}; }

inline layer_choice chosen_by(const evaluation& e, const oracle_times& of) {
    return choose_layers(of.centres(0), of.centres(1), e.query().switching_ns);
}

inline void add_rows_of_oracle(evaluation& e, const oracle_times& of, const layer_choice& choice) {
    const std::size_t n = choice.sides.size();
    const double whole[] = {centre_of(of.wholes[0]), centre_of(of.wholes[1])};
    for (std::size_t i = 0; i <= n; ++i) {
        for (const std::size_t side : {0U, 1U}) {
            const estimate value = estimate_of(i < n ? of.layers[side][i] : of.sums(side));
            const bool chosen = i < n && choice.sides[i] == static_cast<layer_side>(side);
            add_part(e, i < n ? e.names[2 + i] : "sum", e.names[side], value, value.centre / whole[side], chosen ? "chosen" : "");
        }
    }
}

inline void describe_oracle(evaluation& e, const oracle_times& of) {
    const layer_choice choice = chosen_by(e, of);
    const std::vector<double> mixture = mixture_times(of, choice, e.query().switching_ns);
    e.out.measured = estimate_of(mixture);
    add_rows_of_oracle(e, of, choice);
    for (const std::size_t side : {0U, 1U}) {
        e.out.subjects.push_back(summary_of(e.names[side], of.wholes[side], of.iterations[side]));
        add_part(e, "end to end", e.names[side], estimate_of(of.wholes[side]), 1.0);
    }
    for (const std::size_t side : {0U, 1U}) {
        estimate gap = gap_between(of.wholes[side], mixture);
        // Rounds of unlike measurements are no pairs: what they differ by has no interval.
        if (e.query().best_of > 1) gap = without_interval(gap.centre);
        e.out.parts.push_back({"end to end / oracle", e.names[side], dimension::ratio, gap, 0.0, {}});
    }
    e.out.evidence.method = "rounds of both variants and of their layers in random order, the faster layer of each by dynamic programming";
    e.out.advice.emplace_back("a minimum of noisy times is too small: judge a subject that runs this mixture, speedup(a, hybrid) > 1.0");
}

/// By how much the times of one layer of one variant differ between measurements at most, as a fraction.
inline double largest_difference(const std::vector<oracle_times>& measurements) {
    double largest = 0.0;
    for (const std::size_t side : {0U, 1U}) {
        std::vector<double> low = measurements[0].centres(side);
        std::vector<double> high = low;
        for (const oracle_times& each : measurements) {
            const std::vector<double> centres = each.centres(side);
            for (std::size_t i = 0; i < low.size(); ++i) {
                low[i] = std::min(low[i], centres[i]);
                high[i] = std::max(high[i], centres[i]);
            }
        }
        for (std::size_t i = 0; i < low.size(); ++i)
            if (low[i] > 0.0) largest = std::max(largest, high[i] / low[i] - 1.0);
    }
    return largest;
}

/// What a reader of a minimum over measurements must know: how far they lie apart, and whether they agree on the choice.
inline void describe_best_of(evaluation& e, const std::vector<oracle_times>& measurements) {
    std::vector<layer_choice> choices;
    for (const oracle_times& each : measurements) choices.push_back(chosen_by(e, each));
    const std::size_t n = choices[0].sides.size();
    std::size_t unlike = 0;
    for (std::size_t i = 0; i < n; ++i)
        if (std::ranges::any_of(choices, [&](const layer_choice& c) { return c.sides[i] != choices[0].sides[i]; })) ++unlike;
    const std::string all = std::to_string(measurements.size());
    e.out.evidence.method = "best of " + all + " measurements, of each layer the smaller: " + e.out.evidence.method;
    e.out.advice.push_back("the best of " + all + " measurements is smaller still: their times of one layer lie up to " +
                           format_percentage(largest_difference(measurements)) + " apart, and by themselves they choose otherwise for " +
                           std::to_string(unlike) + " of " + std::to_string(n) + (n == 1 ? " layer" : " layers"));
}

/// Of oracle(a, b) with n layers: both wholes, both chains.
inline std::vector<turn> turns_of_oracle(const evaluation& e, std::size_t n) {
    const auto reading = e.query().layer_times == layer_timing::operators ? turn_reading::operators : turn_reading::timers;
    return {{.steps = some_of(e, 0, 1)},
            {.steps = some_of(e, 1, 1)},
            {.steps = some_of(e, 2, n), .reading = reading},
            {.steps = some_of(e, 2 + n, n), .reading = reading}};
}

inline void measure_oracle(evaluation& e) {
    const std::size_t n = (e.query().subjects.size() - 2) / 2;
    std::vector<oracle_times> measurements;
    for (unsigned i = 0; i < e.query().best_of; ++i) {
        layer_rounds all(e, turns_of_oracle(e, n));
        all.take(i);
        measurements.push_back(
            {{all.at(0).times[0], all.at(1).times[0]}, {all.iterations(), all.iterations()}, {all.at(2).times, all.at(3).times}});
    }
    oracle_times best = measurements[0];
    for (const oracle_times& each : measurements) best.keep_smaller(each);
    describe_oracle(e, best);
    if (measurements.size() > 1) describe_best_of(e, measurements);
}

inline void measure_layers_of_one(evaluation& e) {
    const std::size_t n = (e.query().subjects.size() - 1) / 2;
    layer_rounds all(e, turns_of_layers(e, n));
    all.take();
    describe_layers(e, all, n);
}

void measure_layers(evaluation& e) {
    const bool of_one = e.query().measured == metric_kind::layers;
    if (!of_one && e.query().layer_times == layer_timing::operators && !has_recorder(e))
        return set_verdict(e, verdict::invalid, e.context.around().counts.of(metric_kind::op_count).begin());
    of_one ? measure_layers_of_one(e) : measure_oracle(e);
    set_verdict(e, verdict::holds);
}

}  // namespace perfspec::detail
