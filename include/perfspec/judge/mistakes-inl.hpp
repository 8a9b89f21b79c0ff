// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Mistakes in a claim that need no measurement.

#include <perfspec/claim/claim_context.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/process_sample.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/procedures/exact_values.hpp>
#include <perfspec/procedures/procedure.hpp>
#include <perfspec/quantity/format.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace perfspec::inline v0_2::detail {

inline bool is_at_call(const claim_context& context, option_id id) {
    return std::ranges::find(context.options, id, &option::id) != context.options.end();
}

inline void refuse_idle_processes(const claim_context& context) {
    const metric_kind m = context.query.metric;
    const bool of_processes = needs_fresh_process(m) || traits_of(m).from == reading::processes;
    const bool over_centers =
        context.is_bounded() && context.is_relative() && is_clocked(m) && !needs_single_iterations(context.query);
    if (!over_processes(context) || context.is_against_baseline()) return;
    if (is_counted(m) || !(of_processes || over_centers))
        throw input_error(context.framework.words().option("processes", "n") +
                          " has no effect here, because one process measures this: leave it out, or compare the median "
                          "times of two subjects, as in speedup(a, b) > 0.95");
}

/// Throws input_error for options that do not go with a percentile.
inline void require_percentile_options(const claim_context& context) {
    const auto option = [&](const char* name, std::size_t value) {
        return context.framework.words().option(name, std::to_string(value));
    };
    if (reports_own_value(context.query.metric))
        throw input_error("a percentile needs latency(x) or cpu_time(x), as in p99(latency(x)), and not " +
                          std::string(traits_of(context.query.metric).word) + "(x)");
    if (context.plan.iterations.value_or(1) != 1)
        throw input_error(option("iterations", *context.plan.iterations) +
                          " contradicts a percentile, which needs single iterations: leave it out, or write " +
                          option("iterations", 1));
    if (context.is_against_query() && context.plan.rounds && *context.plan.rounds < min_single_pairs)
        throw input_error(option("rounds", *context.plan.rounds) +
                          " is too small for a percentile, which needs at least " + std::to_string(min_single_pairs) +
                          " pairs of single iterations: write " + option("rounds", target_single_pairs) +
                          ", or leave it out");
}

/// Throws input_error for an option at a call that its claim would ignore, because the user would not notice.
inline void refuse_idle_options(const claim_context& context) {
    refuse_idle_processes(context);
    const bool is_stored = context.is_against_baseline();
    if (is_stored && context.query.is_ratio() && needs_fresh_process(context.query.metric))
        throw input_error(
            std::string(
                "a memory_ratio has no baseline: bound it by a number, memory_ratio(a, b) > 0.9, or the memory itself, ") +
            (counts_load(context.query) ? "peak_memory(b, including_load) <= baseline()"
                                        : "peak_memory(b) <= baseline()"));
    if (is_at_call(context, option_id::drift) && !(is_stored && context.plan.baseline_build.empty()))
        throw input_error(
            "drift(...) has no effect here, because only a comparison with a stored baseline can drift: leave it out");
    if (needs_single_iterations(context.query)) require_percentile_options(context);
}

/// Throws input_error for a bound that decides the claim without measuring. No value is below 0; only counts and own
/// metrics can be 0.
inline void refuse_bound_of_one_subject(const claim_context& context) {
    const metric_kind m = context.query.metric;
    if (is_counted(m)) return require_bound_of_counts(context, context.value());
    if (!is_clocked(m) && !needs_fresh_process(m) && !reports_own_value(m)) return;
    const double bound = context.value();
    if (std::isfinite(bound) && (bound > 0.0 || (bound == 0.0 && may_repeat_exactly(m)))) return;
    throw input_error("the bound is " + format_value(bound, context.unit) +
                      ", so the claim is true or false without measuring: write a finite number above 0");
}

/// Throws input_error for a bound that no value can be compared with, and for two queries that are not comparable.
inline void refuse_impossible_bounds(const claim_context& context) {
    if (context.is_against_query()) static_cast<void>(ratio_of(context));
    if (!context.is_bounded() || context.is_against_baseline()) return;
    if (!context.is_relative()) return refuse_bound_of_one_subject(context);
    const double bound = context.ratio_bound();
    if (is_counted(context.query.metric) || (bound > 0.0 && std::isfinite(bound))) return;
    throw input_error("a ratio cannot be compared with " + format_value(bound, dimension::ratio) +
                      ": write a number above 0, such as 0.95");
}

/// Throws std::logic_error for the query of a module that lacks its module_metric: the core would read something else.
inline void require_module(const claim_context& context) {
    const auto has_module = [](const query_description& query) {
        const reading from = traits_of(query.metric).from;
        const bool is_of_module = from == reading::call || from == reading::declared || from == reading::module;
        return !is_of_module || query.module.metrics.size() == (query.is_ratio() ? 2U : 1U);
    };
    if (!has_module(context.query) || (context.is_against_query() && !has_module(context.other())))
        throw std::logic_error("the query " + context.text +
                               " lacks the module_metric of a subject: give its query_description one each");
}

/// Throws input_error for mistakes that need no measurement: options without effect, a bound that no value can be
/// beyond, a rate without declared work, a body without a value.
inline void refuse_mistakes(const claim_context& context) {
    require_module(context);
    refuse_idle_options(context);
    refuse_impossible_bounds(context);
    if (context.query.metric == metrics::load_time) std::ranges::for_each(context.subjects, require_load);
    if (traits_of(context.query.metric).from == reading::processes) require_spread(context);
    if (counts_load(context.query)) std::ranges::for_each(context.subjects, require_model);
    if (is_rate(context.query.metric)) static_cast<void>(declared_work(context.query, context.names[0]));
    if (context.is_against_baseline() &&
        !(std::isfinite(context.stored().factor) && std::isfinite(context.stored().offset)))
        throw input_error(
            "the factor or the offset of baseline() is not a finite number: write 1.05 * baseline(), or baseline() + 2ms");
    if (traits_of(context.query.metric).from == reading::body) std::ranges::for_each(context.subjects, require_value);
}

}  // namespace perfspec::inline v0_2::detail
