// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/operator_profile.hpp>
#include <perfspec/judge/claim_context.hpp>
#include <perfspec/report/claim_result.hpp>

#include <algorithm>
#include <optional>
#include <span>

namespace perfspec::detail {

/// A way to judge claims, or to measure queries. Each procedure has its own file.
struct procedure {
    const char* method;  ///< its name in a dry run
    bool (*answers)(const claim_context& context);
    /// Fills in the result. May throw measurement_failure and input_error: then the claim is invalid, or not judged if
    /// the failure says so. What the result had until then stays.
    void (*judge)(const claim_context& context, claim_result& result);
};

/// All procedures, with those of linked adapters. Exactly one of them answers a claim.
[[nodiscard]] std::span<const procedure* const> procedures();

/// Adds the procedures of an adapter.
void add_procedures(std::span<const procedure* const> more);

/// The procedure that answers. A dry run, a run and a fresh process that is started for the claim all use this one.
[[nodiscard]] const procedure& procedure_for(const claim_context& context);

/// Judges a claim or one side of its tolerance, or measures a query. A process that was started for a launch measures
/// that launch instead. The verdict is *not judged* if the subjects offer nothing to read here. Throws as procedures
/// do.
void judge_by_procedure(const claim_context& context, claim_result& result);

/// Whether this process may measure the claim: outputs agree if that is a condition. Otherwise the verdict is
/// *invalid*. Throws input_error for a subject that refuses.
[[nodiscard]] bool is_measurable(const claim_context& context, claim_result& result);

/// Measures the value of one launch.
void measure_one_launch(const claim_context& context, claim_result& result);

/// Throws input_error for options that a percentile cannot be measured with.
void require_percentile_options(const claim_context& context);

/// Throws input_error for a spread without a positive bound, or over too few launches.
void require_spread(const claim_context& context);

/// Throws input_error for a tolerance that reaches down to 0.
void require_two_sides(const claim_context& context);

/// Judges both sides of a tolerance.
void judge_within(const claim_context& context, claim_result& result);

/// Says where the subjects of a violated claim spend their time: its operators, and traces if the option trace=DIR asks
/// for them. Advice says where the files are, or why there are none.
using finding_explainer = void (*)(const claim_context& context, claim_result& result);
/// Registers the explainer of perfspec::explain.
void explain_findings_by(finding_explainer explainer);
/// Explains with that one. If none is linked and traces are asked for, advice says so.
void explain_finding(const claim_context& context, claim_result& result);

/// Records the operators to store with the launches of a claim on the time of a model. Advice says why there are none
/// where that failed.
using operators_recording = std::optional<operator_profile> (*)(const claim_context& context, claim_result& result);
/// Registers the recording of perfspec::explain.
void store_operators_by(operators_recording record);
/// Records with that one; nothing if none is linked, or if the claim is no such claim.
[[nodiscard]] std::optional<operator_profile> operators_to_store(const claim_context& context, claim_result& result);

// Conditions that procedures combine to say which claims they answer.

/// Whether this is a query without a bound, as in PERF_RECORD.
[[nodiscard]] inline bool is_only_measured(const claim_context& context) {
    return !context.is_bounded() && !context.is_of_outputs;
}
/// Whether the bound is a number or another query.
[[nodiscard]] inline bool is_judged_by_itself(const claim_context& context) {
    return context.is_against_value() || context.is_against_query();
}
/// Whether one process reads the metric in samples: by a clock, by a counter, or from the body.
[[nodiscard]] inline bool is_sampled(metric_kind m) {
    return (is_clocked(m) || is_counted(m) || reports_own_value(m)) && !needs_fresh_process(m);
}
/// Whether two subjects take turns and our own clocks time them.
[[nodiscard]] inline bool is_clocked_pair(const claim_context& context) {
    return is_judged_by_itself(context) && context.is_relative() && is_clocked(context.query.metric);
}
/// Whether the claim is judged over fresh processes because the option `launches` at its call asks for them. The same
/// option in a plan does not count, because a plan is for every claim of a run.
[[nodiscard]] inline bool over_launches(const claim_context& context) {
    if (context.is_child()) return false;
    return std::ranges::any_of(context.options,
                               [](const option& o) { return o.id == option_id::launches && o.number > 0.0; });
}

// For bounds that are a number or another query. They judge in this process, unless only fresh processes show the
// value.
extern const procedure pairs_of_samples;
extern const procedure pairs_of_single_iterations;
extern const procedure pairs_of_values;
extern const procedure blocks_of_samples;
extern const procedure exact_counts;
extern const procedure known_values;
extern const procedure slopes_of_growth;
extern const procedure centres_of_launches;
extern const procedure values_of_fresh_processes;
extern const procedure spread_of_launches;
extern const procedure comparison_of_outputs;
// For bounds on baseline().
extern const procedure stored_launches;
extern const procedure counted_builds;
extern const procedure launch_pairs_of_builds;
// For queries without a bound.
extern const procedure samples_of_a_launch;
extern const procedure rounds_of_several;

/// The procedures of the core. Adapters add theirs (`add_procedures`).
inline constexpr const procedure* procedures_of_the_core[] = {
    &pairs_of_samples,
    &pairs_of_single_iterations,
    &pairs_of_values,
    &blocks_of_samples,
    &exact_counts,
    &known_values,
    &slopes_of_growth,
    &centres_of_launches,
    &values_of_fresh_processes,
    &spread_of_launches,
    &comparison_of_outputs,
    &stored_launches,
    &counted_builds,
    &launch_pairs_of_builds,
    &samples_of_a_launch,
    &rounds_of_several,
};

}  // namespace perfspec::detail
