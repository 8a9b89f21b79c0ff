// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// layers(x). Each round runs the whole model, its prefixes and the chain of its layers in random order.

#include <perfspec/claim/estimates.hpp>
#include <perfspec/claim/partial_result.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/explain/best_mixture.hpp>
#include <perfspec/explain/layer_rounds-inl.hpp>
#include <perfspec/explain/layer_subtraction.hpp>
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

inline std::vector<subject> subjects_from(const claim_context& context, std::size_t from, std::size_t count) {
    const auto begin = context.query.subjects.begin() + static_cast<std::ptrdiff_t>(from);
    return std::vector<subject>(
        begin,
        begin + static_cast<std::ptrdiff_t>(count));  // NOLINT(modernize-return-braced-init-list): no list of subjects
}

inline bool is_in_a_worker(const claim_context& context) {
    return std::ranges::any_of(context.query.subjects, [](const subject& x) { return !x.state().remote.empty(); });
}

/// Whether something records the operators of these subjects. A recorder of this process does not record a worker's.
inline bool has_recorder(const claim_context& context) {
    return context.run.system().counts.recorder<operator_recorder>() != nullptr && !is_in_a_worker(context);
}

/// Whether something records the work of these subjects on their device.
inline bool has_device_recorder(const claim_context& context) {
    return model_of(context.query.subjects[0]).kernels == kernel_view::device &&
           context.run.system().counts.recorder<device_recorder>() != nullptr;
}

inline std::string advice_on_operators(const claim_context& context) {
    return is_in_a_worker(context)
               ? "perfspec does not record the operators of layers in a worker, so the table has no column of operators"
               : "this program cannot record operators. Link perfspec::libtorch to add a column with their times";
}

/// The turns of layers(x) with n layers: the whole, n prefixes, the timed chain; and if something records them, a chain
/// for operators and one for their device.
inline std::vector<turn> turns_of_layers(const claim_context& context, std::size_t n) {
    std::vector<turn> turns{{.steps = {context.query.subjects[0]}}};
    for (std::size_t i = 0; i < n; ++i) turns.push_back({.steps = {context.query.subjects[1 + i]}});
    turns.push_back({.steps = subjects_from(context, 1 + n, n), .reading = turn_reading::timers});
    if (has_recorder(context))
        turns.push_back({.steps = subjects_from(context, 1 + n, n), .reading = turn_reading::operators});
    if (has_device_recorder(context))
        turns.push_back({.steps = subjects_from(context, 1 + n, n), .reading = turn_reading::device});
    return turns;
}

/// A column of the table: a cell for each layer, and one for their sum. `rows_of_layers` sets the names of the rows.
inline std::vector<part_value> column_of_subtraction(const layer_rounds& all, std::size_t n, double whole) {
    std::vector<std::vector<double>> prefixes;
    for (std::size_t i = 0; i < n; ++i) prefixes.push_back(all.at(1 + i).times[0]);
    std::vector<part_value> column;
    double sum = 0.0;
    for (const subtracted_layer& layer : layer_subtraction(prefixes)) {
        const center_interval& t = layer.time;
        sum += t.center;
        column.push_back(time_part({}, "subtraction", {t.center, t.low, t.high, t.level}, t.center / whole,
                                   layer.resolved ? "" : "unresolved"));
    }
    column.push_back(time_part({}, "subtraction", without_interval(sum), sum / whole));
    return column;
}

inline std::vector<part_value> column_of_chain(const turn& chain, const char* method, double whole) {
    std::vector<std::vector<double>> rows = chain.times;
    rows.push_back(chain.sums());
    std::vector<part_value> column;
    for (const std::vector<double>& times : rows) {
        const estimate value = estimate_of(times);
        column.push_back(time_part({}, method, value, value.value / whole));
    }
    return column;
}

/// The cells of all columns, row by row.
inline std::vector<part_value> rows_of_layers(const claim_context& context,
                                              const std::vector<std::vector<part_value>>& columns, std::size_t n) {
    std::vector<part_value> cells;
    for (std::size_t i = 0; i <= n; ++i) {
        for (const std::vector<part_value>& column : columns) {
            cells.push_back(column[i]);
            cells.back().part = i < n ? context.names[1 + n + i] : "sum";
        }
    }
    return cells;
}

inline claim_result with_layers(const claim_context& context, claim_result result, const layer_rounds& all,
                                std::size_t n) {
    result.estimate = estimate_of(all.at(0).times[0]);
    result.subjects = {summary_of(context.names[0], all.at(0).times[0], all.iterations())};
    const double whole = result.estimate->value;
    std::vector<std::vector<part_value>> columns{column_of_chain(all.at(1 + n), "timer", whole),
                                                 column_of_subtraction(all, n, whole)};
    if (has_recorder(context)) columns.push_back(column_of_chain(all.at(2 + n), "operators", whole));
    else result.advice.push_back(advice_on_operators(context));
    if (has_device_recorder(context)) {
        const turn& chain = all.at(has_recorder(context) ? 3 + n : 2 + n);
        if (std::ranges::max(chain.sums()) > 0.0) columns.push_back(column_of_chain(chain, "device", whole));
        else result.advice.emplace_back(std::string("no times of the device: ") + no_recorded_kernels);
    }
    result.parts = rows_of_layers(context, columns, n);
    result.parts.push_back(time_part("end to end", "timer", *result.estimate, 1.0));
    result.evidence.method =
        "rounds of the model, its prefixes and its layers in random order, " + std::string(subtracted_layer::method);
    return result;
}

inline claim_result measure_layers_of_one(const claim_context& context) {
    const std::size_t n = (context.query.subjects.size() - 1) / 2;
    layer_rounds all(context, turns_of_layers(context, n));
    return judged(with_layers(context, all.take(empty_result(context)), all, n), {verdict::holds});
}

const procedure rounds_of_layers{"rounds of all subjects in random order",
                                 [](const claim_context& context) { return context.query.metric == metrics::layers; },
                                 measure_layers_of_one};

}  // namespace perfspec::inline v0_2::detail
