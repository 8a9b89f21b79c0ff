// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// layers(x) and oracle(a, b). They take rounds of whole models, prefixes and chains of layers, in an order drawn for each round.

#include <perfspec/ask/procedure.hpp>
#include <perfspec/explain/layer_oracle.hpp>
#include <perfspec/explain/layer_rounds-inl.hpp>
#include <perfspec/explain/layer_subtraction.hpp>
#include <perfspec/language/subjects/subject_state.hpp>

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

inline std::vector<subject> some_of(const question& asked, std::size_t from, std::size_t count) {
    const auto begin = asked.query.subjects.begin() + static_cast<std::ptrdiff_t>(from);
    return std::vector<subject>(
        begin, begin + static_cast<std::ptrdiff_t>(count));  // NOLINT(modernize-return-braced-init-list): no list of subjects
}

inline bool is_in_a_worker(const question& asked) {
    return std::ranges::any_of(asked.query.subjects, [](const subject& x) { return !x.state().remote.empty(); });
}

/// Whether something records the operators of these subjects. A recorder of this process sees none of a worker's.
inline bool has_recorder(const question& asked) { return asked.context.around().counts.operators() != nullptr && !is_in_a_worker(asked); }

inline std::string how_to_see_operators(const question& asked) {
    return is_in_a_worker(asked) ? "the operators of a worker's layers are not recorded: their times are by the two clocks alone"
                                 : "this program records no operators: link perfspec::libtorch for their times";
}

/// The turns of layers(x) with n layers: the whole, n prefixes, the timed chain, and the recorded chain if something records operators.
inline std::vector<turn> turns_of_layers(const question& asked, std::size_t n) {
    std::vector<turn> turns{{.steps = {asked.query.subjects[0]}}};
    for (std::size_t i = 0; i < n; ++i) turns.push_back({.steps = {asked.query.subjects[1 + i]}});
    turns.push_back({.steps = some_of(asked, 1 + n, n), .reading = turn_reading::timers});
    if (has_recorder(asked)) turns.push_back({.steps = some_of(asked, 1 + n, n), .reading = turn_reading::operators});
    return turns;
}

inline void add_subtraction(const finding& found, const layer_rounds& all, std::size_t n, std::vector<std::vector<part_value>>& rows) {
    const double whole = found.estimate->centre;
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

inline void add_chain(const finding& found, const turn& chain, const char* method, std::vector<std::vector<part_value>>& rows) {
    const double whole = found.estimate->centre;
    const auto add = [&](std::size_t row, const std::vector<double>& times) {
        const estimate value = estimate_of(times);
        rows[row].push_back({{}, method, dimension::time, value, value.centre / whole, {}});
    };
    for (std::size_t i = 0; i < chain.times.size(); ++i) add(i, chain.times[i]);
    add(chain.times.size(), chain.sums());
}

inline void describe_whole(const question& asked, finding& found, const layer_rounds& all, std::size_t i) {
    found.subjects.push_back(summary_of(asked.names[i], all.at(i).times[0], all.iterations()));
}

inline void describe_layers(const question& asked, finding& found, const layer_rounds& all, std::size_t n) {
    found.estimate = estimate_of(all.at(0).times[0]);
    describe_whole(asked, found, all, 0);
    std::vector<std::vector<part_value>> rows(n + 1);  // the last one is the sum
    add_chain(found, all.at(1 + n), "timer", rows);
    add_subtraction(found, all, n, rows);
    if (has_recorder(asked)) add_chain(found, all.at(2 + n), "operators", rows);
    else found.advice.push_back(how_to_see_operators(asked));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (part_value& cell : rows[i]) {
            cell.part = i < n ? asked.names[1 + n + i] : "sum";
            found.parts.push_back(std::move(cell));
        }
    }
    add_part(found, "end to end", "timer", *found.estimate, 1.0);
    found.evidence.method = "rounds of the model, its prefixes and its layers in random order, " + std::string(subtracted_layer::method);
}

inline double centre_of(const std::vector<double>& times) { return estimate_of(times).centre; }

/// The times of an oracle, by rounds, for each whole and each layer of both variants. Each is from the measurement with the smallest one.
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
    /// [rounds]: the time of all layers of a variant together. Rounds of the same number are added, also from different measurements.
    [[nodiscard]] std::vector<double> sums(std::size_t side) const { return turn{.times = layers[side]}.sums(); }

    void keep_smaller(const oracle_times& other) {
        // Both get the same number of rounds, so the kept centre is the one that was compared.
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

/// [rounds]: the time of the chosen layers and the switches between them.
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

inline double switching_ns(const question& asked) { return static_cast<double>(asked.query.said<oracle_settings>().switching.count()); }

inline layer_choice chosen_by(const question& asked, const oracle_times& of) {
    return choose_layers(of.centres(0), of.centres(1), switching_ns(asked));
}

inline void add_rows_of_oracle(const question& asked, finding& found, const oracle_times& of, const layer_choice& choice) {
    const std::size_t n = choice.sides.size();
    const double whole[] = {centre_of(of.wholes[0]), centre_of(of.wholes[1])};
    for (std::size_t i = 0; i <= n; ++i) {
        for (const std::size_t side : {0U, 1U}) {
            const estimate value = estimate_of(i < n ? of.layers[side][i] : of.sums(side));
            const bool chosen = i < n && choice.sides[i] == static_cast<layer_side>(side);
            add_part(found, i < n ? asked.names[2 + i] : "sum", asked.names[side], value, value.centre / whole[side],
                     chosen ? "chosen" : "");
        }
    }
}

inline void describe_oracle(const question& asked, finding& found, const oracle_times& of) {
    const layer_choice choice = chosen_by(asked, of);
    const std::vector<double> mixture = mixture_times(of, choice, switching_ns(asked));
    found.estimate = estimate_of(mixture);
    add_rows_of_oracle(asked, found, of, choice);
    for (const std::size_t side : {0U, 1U}) {
        found.subjects.push_back(summary_of(asked.names[side], of.wholes[side], of.iterations[side]));
        add_part(found, "end to end", asked.names[side], estimate_of(of.wholes[side]), 1.0);
    }
    for (const std::size_t side : {0U, 1U}) {
        estimate gap = gap_between(of.wholes[side], mixture);
        // Rounds of different measurements are not pairs, so their differences have no interval.
        if (asked.query.said<oracle_settings>().best_of > 1) gap = without_interval(gap.centre);
        found.parts.push_back({"end to end / oracle", asked.names[side], dimension::ratio, gap, 0.0, {}});
    }
    found.evidence.method = "rounds of both variants and of their layers in random order, the faster layer of each by dynamic programming";
    found.advice.emplace_back("a minimum of noisy times is too small: judge a subject that runs this mixture, speedup(a, hybrid) > 1.0");
}

/// The largest difference, as a fraction, between measurements of one layer of one variant.
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

/// Says what a reader of a minimum over measurements must know: how far the measurements differ, and whether they agree on the choice.
inline void describe_best_of(const question& asked, finding& found, const std::vector<oracle_times>& measurements) {
    std::vector<layer_choice> choices;
    for (const oracle_times& each : measurements) choices.push_back(chosen_by(asked, each));
    const std::size_t n = choices[0].sides.size();
    std::size_t unlike = 0;
    for (std::size_t i = 0; i < n; ++i)
        if (std::ranges::any_of(choices, [&](const layer_choice& c) { return c.sides[i] != choices[0].sides[i]; })) ++unlike;
    const std::string all = std::to_string(measurements.size());
    found.evidence.method = "best of " + all + " measurements, of each layer the smaller: " + found.evidence.method;
    found.advice.push_back("the best of " + all + " measurements is smaller still: their times of one layer lie up to " +
                           format_percentage(largest_difference(measurements)) + " apart, and by themselves they choose otherwise for " +
                           std::to_string(unlike) + " of " + std::to_string(n) + (n == 1 ? " layer" : " layers"));
}

/// The turns of oracle(a, b) with n layers: both wholes, both chains.
inline std::vector<turn> turns_of_oracle(const question& asked, std::size_t n) {
    const auto reading =
        asked.query.said<oracle_settings>().from == layer_timing::operators ? turn_reading::operators : turn_reading::timers;
    return {{.steps = some_of(asked, 0, 1)},
            {.steps = some_of(asked, 1, 1)},
            {.steps = some_of(asked, 2, n), .reading = reading},
            {.steps = some_of(asked, 2 + n, n), .reading = reading}};
}

inline void measure_oracle(const question& asked, finding& found) {
    const std::size_t n = (asked.query.subjects.size() - 2) / 2;
    std::vector<oracle_times> measurements;
    for (unsigned i = 0; i < asked.query.said<oracle_settings>().best_of; ++i) {
        layer_rounds all(asked, found, turns_of_oracle(asked, n));
        all.take(i);
        measurements.push_back(
            {{all.at(0).times[0], all.at(1).times[0]}, {all.iterations(), all.iterations()}, {all.at(2).times, all.at(3).times}});
    }
    oracle_times best = measurements[0];
    for (const oracle_times& each : measurements) best.keep_smaller(each);
    describe_oracle(asked, found, best);
    if (measurements.size() > 1) describe_best_of(asked, found, measurements);
}

inline void measure_layers_of_one(const question& asked, finding& found) {
    const std::size_t n = (asked.query.subjects.size() - 1) / 2;
    layer_rounds all(asked, found, turns_of_layers(asked, n));
    all.take();
    describe_layers(asked, found, all, n);
    set_verdict(found, verdict::holds);
}

inline void measure_oracle_or_say_why(const question& asked, finding& found) {
    if (asked.query.said<oracle_settings>().from == layer_timing::operators && !has_recorder(asked))
        return set_verdict(found, verdict::invalid, asked.context.around().counts.of(metric_kind::op_count).begin());
    measure_oracle(asked, found);
    set_verdict(found, verdict::holds);
}

inline constexpr round_range rounds_of_models{min_pairs, static_cast<std::size_t>(target_pairs), 100, "rounds"};

/// An oracle's measurements share a given budget.
inline void estimate_cost_of_oracle(const question& asked, const unit_costs& unit, claim_cost& total) {
    estimate_cost_of_rounds(asked, unit, total, rounds_of_models);
    const double measurements = asked.query.said<oracle_settings>().best_of;
    const double longest = asked.plan.budget_given ? total.budget_seconds : measurements * total.budget_seconds;
    total.budget_seconds = longest;
    total.min_seconds = std::min(measurements * total.min_seconds, longest);
    total.max_seconds = std::min(measurements * total.max_seconds, longest);
}

const procedure rounds_of_layers{"rounds of all subjects in random order",
                                 [](const question& asked) { return asked.query.metric == metric_kind::layers; }, measure_layers_of_one,
                                 [](const question& asked, const unit_costs& unit, claim_cost& total) {
                                     estimate_cost_of_rounds(asked, unit, total, rounds_of_models);
                                 }};

const procedure rounds_of_an_oracle{"rounds of all subjects in random order",
                                    [](const question& asked) { return asked.query.metric == metric_kind::oracle; },
                                    measure_oracle_or_say_why, estimate_cost_of_oracle};

}  // namespace perfspec::detail
