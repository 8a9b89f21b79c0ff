// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/cost.hpp>
#include <perfspec/ask/question.hpp>
#include <perfspec/report/finding.hpp>

#include <algorithm>
#include <span>

namespace perfspec::detail {

/// A way to judge claims, or to measure queries. Each stands in the file of its own that judges by it.
struct procedure {
    const char* method;  ///< as a dry run names it
    bool (*answers)(const question& asked);
    /// Fills in what is found. May throw measurement_failure and input_error: then the claim is invalid, or not judged where the failure says so, and
    /// what was found until then stays.
    void (*judge)(const question& asked, finding& found);
    /// What that would cost. May name another method.
    void (*estimate_cost)(const question& asked, const unit_costs& unit, claim_cost& total);
};

/// All of them, those of linked adapters among them. Of each question one answers.
[[nodiscard]] std::span<const procedure* const> procedures();

/// Adds those of an adapter.
void add_procedures(std::span<const procedure* const> more);

/// The one that answers. A dry run, a run and a fresh process that is started for it all go by this one.
[[nodiscard]] const procedure& procedure_for(const question& asked);

/// Judges a claim, or one side of its tolerance, or measures a query; in a process that was started for a launch, measures that. The verdict is not
/// judged where nothing can be read of the subjects here. Throws as procedures do.
void judge_by_procedure(const question& asked, finding& found);

/// Whether this process may measure the claim: no subject refuses, and outputs agree where that is a condition. Else the verdict is *invalid*.
/// Throws input_error for a subject that refuses.
[[nodiscard]] bool is_measurable(const question& asked, finding& found);

/// The value of one launch.
void measure_one_launch(const question& asked, finding& found);

/// Throws input_error for options that a percentile cannot be measured with.
void require_percentile_options(const question& asked);

/// Throws input_error for a tolerance that reaches down to 0.
void require_two_sides(const question& asked);

/// Both sides of a tolerance.
void judge_within(const question& asked, finding& found);

/// Writes what the subjects of a violated claim spend their time in, where that is asked for (trace=DIR); advice says where, or why not.
using trace_writer = void (*)(const question& asked, finding& found);
/// The adapter that writes traces: perfspec::explain.
void write_traces_by(trace_writer writer);
/// By that adapter; where there is none, advice says so.
void write_traces_where_asked(const question& asked, finding& found);

/// Says what would be done and at what cost, instead of doing it. `reason`: why nothing would be judged; empty where it would.
void estimate_cost(const question& asked, finding& found, const std::string& reason);

// Which questions a procedure answers, in parts.

/// PERF_RECORD.
[[nodiscard]] inline bool is_only_measured(const question& asked) { return !asked.is_bounded() && !asked.is_of_outputs; }
/// Against a number or another query.
[[nodiscard]] inline bool is_judged_by_itself(const question& asked) { return asked.is_against_value() || asked.is_against_query(); }
/// Read in samples of one process: by a clock, by a counter, or from the body.
[[nodiscard]] inline bool is_sampled(metric_kind m) { return is_clocked(m) || is_counted(m) || reports_own_value(m); }
/// Two subjects in turns, by our own clocks.
[[nodiscard]] inline bool is_clocked_pair(const question& asked) {
    return is_judged_by_itself(asked) && asked.is_relative() && is_clocked(asked.query.metric);
}
/// Whether memory layouts are drawn: the plan asks for it, and the claim is on times of one subject or two. One launch of more gives no one value.
[[nodiscard]] inline bool probes_layouts(const question& asked) {
    return asked.plan.layout && !asked.is_child() && is_clocked(asked.query.metric) && asked.query.arity != query_arity::several;
}
/// Whether the claim is judged over fresh processes because the option `launches` at its call asks for them: a plan says it for every claim of a run,
/// and only a call means this one. A ratio of times is judged over them, too, where layouts are drawn.
[[nodiscard]] inline bool over_launches(const question& asked) {
    if (asked.is_child()) return false;
    if (probes_layouts(asked) && is_clocked_pair(asked) && !needs_single_iterations(asked.query)) return true;
    return std::ranges::any_of(asked.options, [](const option& o) { return o.id == option_id::launches && o.number > 0.0; });
}

}  // namespace perfspec::detail
