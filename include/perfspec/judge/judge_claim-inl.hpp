// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/against_baseline/stored_claim.hpp>
#include <perfspec/judge/conclude.hpp>
#include <perfspec/judge/device_watch.hpp>
#include <perfspec/judge/devices.hpp>
#include <perfspec/judge/judge_claim.hpp>
#include <perfspec/judge/notes.hpp>
#include <perfspec/judge/procedure.hpp>
#include <perfspec/judge/procedures/outputs.hpp>
#include <perfspec/judge/readings.hpp>
#include <perfspec/judge/record_of.hpp>
#include <perfspec/judge/subject_reasons-inl.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/launch_sample.hpp>
#include <perfspec/measure/loaded_memory.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/session/not_judged.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>

namespace perfspec::detail {

inline bool is_at_call(const claim_context& context, option_id id) {
    return std::ranges::find(context.options, id, &option::id) != context.options.end();
}

inline void refuse_idle_launches(const claim_context& context) {
    const metric_kind m = context.query.metric;
    const bool is_stored = context.is_against_baseline();
    if (!over_launches(context) || is_stored) return;
    if (is_counted(m) || reports_own_value(m))
        throw input_error(
            "launches(n) has no effect here: a claim on a count or on your own metric is judged in one process; leave it out");
    const bool over_processes = needs_fresh_process(m) || traits_of(m).from == reading::processes;
    if (!context.is_bounded() && !over_processes)
        throw input_error(
            "launches(n) has no effect here: a query without a bound is measured in one process; leave it out, or add a bound");
    if (!context.is_relative() && !over_processes)
        throw input_error(
            "launches(n) has no effect here: a claim with a fixed bound is judged in one process; leave it out, or compare two "
            "subjects, as in speedup(a, b) > 0.95");
    if (is_clocked_pair(context) && needs_single_iterations(context.query))
        throw input_error(
            "launches(n) has no effect here: percentiles are judged in one process; leave it out, or compare latency(x)");
}

/// Throws input_error for an option at a call that its claim would ignore, because the user would not notice.
inline void refuse_idle_options(const claim_context& context) {
    refuse_idle_launches(context);
    const bool is_stored = context.is_against_baseline();
    if (is_stored && context.query.is_ratio() && needs_fresh_process(context.query.metric))
        throw input_error(
            std::string(
                "a memory_ratio has no baseline: bound it by a number, memory_ratio(a, b) > 0.9, or the memory itself, ") +
            (counts_load(context.query) ? "peak_memory(b, including_load) <= baseline()"
                                        : "peak_memory(b) <= baseline()"));
    if (is_at_call(context, option_id::drift) && !(is_stored && context.plan.against.empty()))
        throw input_error(
            "drift(...) has no effect here: only a comparison with stored launches can drift; leave it out");
    if (needs_single_iterations(context.query)) require_percentile_options(context);
}

}  // namespace perfspec::detail

// The dry run: it says by which method a claim would be judged, and its cap. It runs nothing.

namespace perfspec::detail {

/// Says what would be done, instead of doing it. `reason` says why the claim would not be judged; empty: it would be.
inline void forecast_claim(const claim_context& context, claim_result& result, const std::string& reason) {
    note_request(context, result);
    set_verdict(result, verdict::not_judged, "dry run");
    forecast& f = result.planned.emplace();
    if (!reason.empty()) {
        f.method = "no judging: " + reason;
        return;
    }
    f.method = procedure_for(context).method;
    f.cap_seconds = std::chrono::duration<double>(std::max(context.plan.cap, context.plan.budget)).count();
    if (!context.is_against_baseline()) return;
    if (context.plan.against.empty()) foresee_stored(context, f);
    else f.baseline = "another build, " + context.plan.against;
}

}  // namespace perfspec::detail

// Answers a claim: checks what keeps its claim from being judged, and hands it to the procedure that judges it.

namespace perfspec::detail {

inline void refuse_invalid_subjects(const claim_context& context, claim_result& result) {
    for (const subject& s : context.subjects) {
        if (!s.state().not_judged_reason.empty())
            throw measurement_failure(failure_kind::unavailable,
                                      "\"" + s.state().name + "\": " + s.state().not_judged_reason);
        const std::string& reason = s.state().invalid_reason;
        if (reason.empty()) continue;
        if (context.is_of_outputs) result.verified = {verification_code::verifier_didnt_run, reason, {}};
        throw input_error("\"" + s.state().name + "\": " + reason);
    }
    if (!context.unlike_settings.empty()) throw measurement_failure(failure_kind::unavailable, context.unlike_settings);
}

inline std::string reason_of_mode(evaluation_mode mode) {
    switch (mode) {
    case evaluation_mode::measure:
    case evaluation_mode::dry_run: break;
    case evaluation_mode::smoke: return "mode=smoke: every body is run once";
    case evaluation_mode::verify: return "mode=verify: only outputs are compared";
    case evaluation_mode::off: return "mode=off: nothing is run";
    }
    return {};
}

/// Why nothing may be judged here; empty if it may. Outputs are compared in any build, also in the mode that compares
/// nothing else.
inline std::string reason_not_to_judge(const claim_context& context) {
    const plan& p = context.plan;
    if (context.is_of_outputs) return p.mode == evaluation_mode::verify ? std::string() : reason_of_mode(p.mode);
    if (std::string reason = reason_of_mode(p.mode); !reason.empty()) return reason;
    if (p.update != baseline_update::none && !context.is_against_baseline())
        return "baselines are being updated: only claims on baseline() are measured";
    return reason_of_build_or_machine(context.where.build, context.run.system());
}

/// Does what the mode or an update asks for instead of judging.
inline void do_not_judge(const claim_context& context, claim_result& result, std::string reason) {
    const bool measures = context.plan.mode == evaluation_mode::measure;
    const bool updates = context.plan.update != baseline_update::none;
    if (!measures || updates) note_request(context, result);
    if (context.plan.mode == evaluation_mode::smoke || (measures && !updates)) run_bodies_once(context);
    if (context.plan.mode == evaluation_mode::verify && !outputs_allow_judging(context, result)) return;
    set_verdict(result, verdict::not_judged, std::move(reason));
}

/// Why the metric cannot be counted here; empty if it can. Throws input_error if that makes the claim invalid.
inline std::string reason_not_to_count(const claim_context& context, const counting_scope& counting) {
    std::string reason = counting.fault();
    if (!reason.empty() && traits_of(context.query.metric).otherwise == unreadable::is_invalid)
        throw input_error(reason);
    return reason;
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
                      ", so the claim is true or false without measuring");
}

/// Throws input_error for bounds that no value can be compared with, and for queries that cannot be compared with each
/// other.
inline void refuse_impossible_bounds(const claim_context& context) {
    if (context.is_against_query()) static_cast<void>(ratio_of(context));
    if (!context.is_bounded() || context.is_against_baseline()) return;
    if (!context.is_relative()) return refuse_bound_of_one_subject(context);
    const double bound = context.ratio_bound();
    if (is_counted(context.query.metric) || (bound > 0.0 && std::isfinite(bound))) return;
    throw input_error("a ratio is compared with a positive number, not with " + format_value(bound, dimension::ratio));
}

/// Throws input_error for mistakes that show without measuring: options that change nothing, a bound that no value can
/// be beyond, a rate without declared work, a body without a value.
inline void refuse_mistakes(const claim_context& context) {
    refuse_idle_options(context);
    refuse_impossible_bounds(context);
    if (context.query.metric == metric_kind::load_time) std::ranges::for_each(context.subjects, require_load);
    if (traits_of(context.query.metric).from == reading::processes) require_spread(context);
    if (counts_load(context.query)) std::ranges::for_each(context.subjects, require_model);
    if (is_rate(context.query.metric)) {
        static_cast<void>(declared_work(context.query, context.names[0]));
        if (context.is_against_query()) static_cast<void>(declared_work(context.other(), context.names[1]));
    }
    if (context.is_against_baseline() &&
        !(std::isfinite(context.stored().factor) && std::isfinite(context.stored().offset)))
        throw input_error(
            "the factor or the offset of baseline() is not a finite number: write 1.05 * baseline(), or baseline() + 2ms");
    if (traits_of(context.query.metric).from == reading::body) std::ranges::for_each(context.subjects, require_value);
}

void judge_by_procedure(const claim_context& context, claim_result& result) {
    refuse_mistakes(context);
    if (std::string reason = reason_of_subjects(context); !reason.empty())
        return do_not_judge(context, result, std::move(reason));
    const counting_scope counting(context);
    if (std::string reason = reason_not_to_count(context, counting); !reason.empty())
        return do_not_judge(context, result, std::move(reason));
    const bool is_launch = context.is_child() && context.run.child()->task == child_task::launch;
    is_launch ? measure_one_launch(context, result) : procedure_for(context).judge(context, result);
}

bool is_measurable(const claim_context& context, claim_result& result) {
    refuse_invalid_subjects(context, result);
    return outputs_allow_judging(context, result);
}

/// Answers a claim in a dry run. Mistakes in the claim are reported as in a run.
inline void judge_dry_run(const claim_context& context, claim_result& result) {
    std::string reason = reason_not_to_judge(context);
    if (reason.empty() && !context.is_of_outputs) {
        if (context.has_tolerance()) require_two_sides(context);
        refuse_mistakes(context);
        reason = reason_of_subjects(context);
    }
    if (reason.empty()) reason = reason_not_to_count(context, counting_scope(context));
    forecast_claim(context, result, reason);
}

inline void judge(const claim_context& context, claim_result& result) {
    refuse_invalid_subjects(context, result);
    refuse_comparison_with_itself(context);
    if (context.plan.mode == evaluation_mode::dry_run && !context.is_child()) return judge_dry_run(context, result);
    if (std::string reason = context.is_child() ? std::string() : reason_not_to_judge(context); !reason.empty())
        return do_not_judge(context, result, std::move(reason));
    if (context.is_of_outputs) return procedure_for(context).judge(context, result);
    require_known_devices(context);
    // For a claim on a baseline the parent process measures nothing; its launches verify the outputs themselves.
    const bool measures_here = context.is_child() || !context.is_against_baseline();
    if (measures_here && !outputs_allow_judging(context, result)) return;
    const bool judges = !context.is_child() || context.run.child()->task == child_task::confirm;
    if (!context.is_child()) note_better_side(context, result);
    context.has_tolerance() && judges ? judge_within(context, result) : judge_by_procedure(context, result);
    if (!context.is_child()) compare_outputs_again(context, result);
}

/// Notes what an adapter saw in the samples of its subjects. A claim that is invalid has a reason already.
inline void note_caveats(const claim_context& context, claim_result& result) {
    for (const subject& s : context.subjects) {
        const auto caveat = s.state().caveat;
        std::string text = caveat == nullptr ? std::string() : caveat(s.storage());
        if (!text.empty() && result.verdict != verdict::invalid)
            add_note(context, result, "caveat of " + s.state().name, "\"" + s.state().name + "\": " + text);
    }
}

judged_claim judge_claim(const claim_context& context) {
    judged_claim a{empty_result(context)};
    try {
        judge(context, a.result);
    } catch (const measurement_failure& failure) {
        const bool cannot_here =
            failure.kind == failure_kind::not_countable || failure.kind == failure_kind::unavailable;
        set_verdict(a.result, cannot_here ? verdict::not_judged : verdict::invalid, failure.what());
        a.result.failure = failure.kind;
        a.thrown = failure.cause;
        context.framework.measuring_ends();  // bodies_run_scope ended while the exception was in flight
    } catch (const input_error& wrong) {
        set_verdict(a.result, verdict::invalid, wrong.what());
        context.framework.measuring_ends();
    }
    note_caveats(context, a.result);
    note_kernels(context, a.result);
    note_slow_samples(context, a.result);
    if (a.result.estimate) note_unwatched_devices(context, a.result);
    describe_workers(context, a.result);
    return a;
}

}  // namespace perfspec::detail
