// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// layers(x) and oracle(a, b): rounds of whole models, of prefixes and of chains of layers, in an order drawn for each round.

#include <perfspec/run/layer_rounds.ipp>
#include <perfspec/stats/layer_oracle.hpp>
#include <perfspec/stats/layer_subtraction.hpp>

#include <cmath>
#include <cstddef>
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

/// [layers]: the centre of each.
inline std::vector<double> centres(const turn& chain) {
    std::vector<double> all;
    for (const auto& times : chain.times) all.push_back(estimate_of(times).centre);
    return all;
}

/// [rounds]: the layers that were chosen, and the switches between them.
inline std::vector<double> mixture_times(const turn& first, const turn& second, const layer_choice& choice, double switching_ns) {
    std::vector<double> sums(first.times[0].size(), static_cast<double>(choice.switches) * switching_ns);
    for (std::size_t i = 0; i < choice.sides.size(); ++i) {
        const turn& from = choice.sides[i] == layer_side::first ? first : second;
        for (std::size_t round = 0; round < sums.size(); ++round) sums[round] += from.times[i][round];
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

inline void describe_oracle(evaluation& e, const layer_rounds& all, std::size_t n) {
    const turn* const chains[] = {&all.at(2), &all.at(3)};
    const layer_choice choice = choose_layers(centres(*chains[0]), centres(*chains[1]), e.query().switching_ns);
    const std::vector<double> mixture = mixture_times(*chains[0], *chains[1], choice, e.query().switching_ns);
    e.out.measured = estimate_of(mixture);
    const double whole[] = {estimate_of(all.at(0).times[0]).centre, estimate_of(all.at(1).times[0]).centre};
    for (std::size_t i = 0; i <= n; ++i) {
        for (const std::size_t side : {0U, 1U}) {
            const estimate value = estimate_of(i < n ? chains[side]->times[i] : chains[side]->sums());
            const bool chosen = i < n && choice.sides[i] == static_cast<layer_side>(side);
            add_part(e, i < n ? e.names[2 + i] : "sum", e.names[side], value, value.centre / whole[side], chosen ? "chosen" : "");
        }
    }
    for (const std::size_t side : {0U, 1U}) {
        describe_whole(e, all, side);
        add_part(e, "end to end", e.names[side], estimate_of(all.at(side).times[0]), 1.0);
    }
    for (const std::size_t side : {0U, 1U})
        e.out.parts.push_back(
            {"end to end / oracle", e.names[side], dimension::ratio, gap_between(all.at(side).times[0], mixture), 0.0, {}});
    e.out.evidence.method = "rounds of both variants and of their layers in random order, the faster layer of each by dynamic programming";
    e.out.advice.emplace_back("a minimum of noisy times is too small: judge a subject that runs this mixture, speedup(a, hybrid) > 1.0");
}

/// Of oracle(a, b) with n layers: both wholes, both chains.
inline std::vector<turn> turns_of_oracle(const evaluation& e, std::size_t n) {
    const auto reading = e.query().layer_times == layer_timing::operators ? turn_reading::operators : turn_reading::timers;
    return {{.steps = some_of(e, 0, 1)},
            {.steps = some_of(e, 1, 1)},
            {.steps = some_of(e, 2, n), .reading = reading},
            {.steps = some_of(e, 2 + n, n), .reading = reading}};
}

void measure_layers(evaluation& e) {
    const bool of_one = e.query().measured == metric_kind::layers;
    if (!of_one && e.query().layer_times == layer_timing::operators && !has_recorder(e))
        return set_verdict(e, verdict::invalid, e.context.around().counts.of(metric_kind::op_count).begin());
    const std::size_t wholes = of_one ? 1 : 2;
    const std::size_t n = (e.query().subjects.size() - wholes) / 2;
    layer_rounds all(e, of_one ? turns_of_layers(e, n) : turns_of_oracle(e, n));
    all.take();
    of_one ? describe_layers(e, all, n) : describe_oracle(e, all, n);
    set_verdict(e, verdict::holds);
}

}  // namespace perfspec::detail
