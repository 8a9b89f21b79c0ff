// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/hardware_key.hpp>
#include <perfspec/language/describe.hpp>
#include <perfspec/language/sentence.hpp>
#include <perfspec/language/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/plan/plan_text.hpp>
#include <perfspec/process/child.hpp>
#include <perfspec/process/in_child.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/report/json_lines.hpp>
#include <perfspec/report/sink.hpp>
#include <perfspec/run/assertion_request.hpp>
#include <perfspec/run/commands.hpp>
#include <perfspec/run/counting.hpp>
#include <perfspec/run/evaluate.hpp>
#include <perfspec/run/naming.hpp>
#include <perfspec/run/not_judged.hpp>
#include <perfspec/run/notes.hpp>
#include <perfspec/run/process_end.hpp>
#include <perfspec/run/serve_claim.hpp>
#include <perfspec/run/session.hpp>
#include <perfspec/run/sharing.hpp>
#include <perfspec/run/subject_reasons-inl.hpp>
#include <perfspec/run/turn.hpp>
#include <perfspec/run/verify-inl.hpp>

#include <algorithm>
#include <optional>

namespace perfspec {
namespace detail {

inline void identify(evaluation& e) {
    record& r = e.out;
    r.time = e.context.around().utc_now();
    r.suite = e.context.suite();
    r.test = e.position.test;
    r.sections = e.position.sections;
    r.macro = e.asked.where.macro;
    r.claim = e.asked.claim;
    r.file = e.asked.where.file;
    r.line = e.asked.where.line;
    r.build = to_string(e.asked.where.build);
    r.unit = e.tree().bound == bound_kind::query ? dimension::ratio : e.query().unit;
    r.direction = e.query().direction;
    r.own_unit = r.unit == dimension::own ? e.query().own : std::string{};
    if (e.tree().bound != bound_kind::none) r.comparison = to_string(e.tree().compared);
    const provenance& p = e.context.origin();
    r.commit = p.commit;
    r.branch = p.branch;
    r.run_id = p.run_id;
    r.started_by = p.started_by;
    r.host = p.host;
}

inline plan with_absolute_paths(const session& context, plan p) {
    for (std::string* path : {&p.output, &p.trace})
        if (!path->empty()) *path = absolute_path(context, *path);
    return p;
}

/// Where the options of the claim itself are wrong, the plan is that of the run: the result of the claim has a place, too.
inline void set_plan(evaluation& e) {
    if (e.is_child()) {
        e.plan = with_absolute_paths(e.context, plan_from_text(e.context.child()->plan));
        return;
    }
    try {
        e.plan = with_absolute_paths(e.context, e.context.resolve_plan(e.asked.options));
    } catch (const input_error&) {
        e.plan = with_absolute_paths(e.context, e.context.resolve_plan({}));
        throw;
    }
}

/// Everything that does not measure: the plan, the names, the key. Throws input_error for what the user wrote wrong.
inline void prepare(evaluation& e) {
    set_plan(e);
    for (const option& o : e.asked.options) {
        if (o.id == option_id::key) e.plan.key = o.text;
    }
    e.out.margin = e.plan.margin;
    e.out.options = plan_options(e.plan);
    if (!e.is_child()) e.out.origins = e.context.origins(e.asked.options);
    e.out.build_variant = e.plan.build_variant;
    e.out.hardware_key = is_same_on_all_hardware(e.query().measured) ? any_hardware_key() : e.context.hardware_key();
    if (e.tree().bound == bound_kind::baseline && !(e.tree().factor > 0.0))
        throw input_error("the bound is " + format_value(e.tree().factor, dimension::own) +
                          " * baseline(): write a factor above 0, such as 1.05 * baseline()");
    name_query(e);
    e.occurrence = e.context.next_occurrence(e.out.key);
}

inline void check_refusals(evaluation& e) {
    for (const auto* subjects : {&e.query().subjects, &e.tree().other.subjects}) {
        for (const subject& s : *subjects) {
            if (!s.state().lack.empty()) throw measurement_failure(failure_kind::lacking, "\"" + s.state().name + "\": " + s.state().lack);
            const std::string& refusal = s.state().refusal;
            if (refusal.empty()) continue;
            if (e.tree().verification) e.out.verified = {verification_code::verifier_didnt_run, refusal, {}};
            throw input_error("\"" + s.state().name + "\": " + refusal);
        }
    }
}

inline std::string reason_of_mode(evaluation_mode mode) {
    switch (mode) {
    case evaluation_mode::measure: break;
    case evaluation_mode::smoke: return "mode=smoke: every body is run once";
    case evaluation_mode::verify: return "mode=verify: only outputs are compared";
    case evaluation_mode::off: return "mode=off: nothing is run";
    }
    return {};
}

/// Why nothing may be judged here; empty when it may.
inline std::string reason_not_to_judge(evaluation& e) {
    if (e.plan.mode != evaluation_mode::measure) return reason_of_mode(e.plan.mode);
    if (e.plan.update != baseline_update::none && e.tree().bound != bound_kind::baseline)
        return "baselines are being updated: only claims on baseline() are measured";
    return reason_of_build_or_machine(e.asked.where.build, e.context.around());
}

/// Does what the mode asks for instead of measuring.
inline void do_not_judge(evaluation& e, std::string reason) {
    if (e.plan.mode != evaluation_mode::measure || e.plan.update != baseline_update::none) note_request(e);
    const bool runs =
        e.plan.mode == evaluation_mode::smoke || (e.plan.mode == evaluation_mode::measure && e.plan.update == baseline_update::none);
    if (runs) run_bodies_once(e);
    if (e.plan.mode == evaluation_mode::verify && !outputs_allow_judging(e)) return;
    set_verdict(e, verdict::not_judged, std::move(reason));
}

inline void judge_ratio(evaluation& e) {
    const bool percentiles = needs_single_iterations(e.query());
    if (over_launches(e) && percentiles)
        throw input_error(
            "launches(n) judges the centres of launches, and percentiles are judged in one: leave it out, or compare latency(x)");
    if (over_launches(e)) return judge_launches(e);
    percentiles ? judge_percentiles(e) : judge_pairs(e);
}

inline bool is_at_call(const evaluation& e, option_id id) {
    return std::ranges::find(e.asked.options, id, &option::id) != e.asked.options.end();
}

/// Options at a call that its claim would ignore: better said than found out.
inline void refuse_idle_options(const evaluation& e) {
    const bool is_ratio = e.query().ratio || e.tree().bound == bound_kind::query;
    const bool is_stored = e.tree().bound == bound_kind::baseline;
    if (over_launches(e) && (is_counted(e.query().measured) || is_told_by_body(e.query().measured)) && !is_stored)
        throw input_error("launches(n) at a claim on a count or on a metric of your own: it is judged in one process; leave it out");
    if (is_stored && e.query().ratio && needs_fresh_process(e.query().measured))
        throw input_error("a compression has no baseline: bound it by a number, compression(a, b) > 0.9, or the memory itself, "
                          "peak_memory(b) <= baseline()");
    const bool over_processes = needs_fresh_process(e.query().measured) || e.query().measured == metric_kind::stability;
    if (over_launches(e) && !is_ratio && !is_stored && !over_processes)
        throw input_error(
            "launches(n) at a claim with a fixed bound: only ratios are judged over launches, and baselines recorded from them; "
            "leave it out, or compare two subjects, as in speedup(a, b) > 0.95");
    for (const auto& [id, name] : {std::pair{option_id::false_failure, "false_failure"}, std::pair{option_id::false_pass, "false_pass"}}) {
        if (is_stored && e.plan.against.empty() && is_at_call(e, id))
            throw input_error(std::string(name) + "(...) at a claim on baseline(): the exact rank test over launches has rates of its own, "
                                                  "0.0019 for a false failure of ten stored launches; leave it out");
    }
}

inline void cannot_count(evaluation& e, std::string reason) {
    if (traits_of(e.query().measured).otherwise == unreadable::is_invalid) return set_verdict(e, verdict::invalid, std::move(reason));
    do_not_judge(e, std::move(reason));
}

/// PERF_RECORD.
inline void measure_unbounded(evaluation& e) {
    const metric_kind m = e.query().measured;
    if (needs_fresh_process(m)) return judge_fresh(e);
    if (m == metric_kind::growth) return judge_growth(e);
    if (m == metric_kind::layers || m == metric_kind::oracle) return measure_layers(e);
    if (m == metric_kind::profile) return measure_profile(e);
    if (e.query().taken == statistic::several) return measure_several(e);
    m == metric_kind::stability ? judge_stability(e) : measure_only(e);
}

void judge_by_bound(evaluation& e) {
    refuse_idle_options(e);
    if (needs_single_iterations(e.query())) require_percentile_options(e);
    if (const std::string reason = reason_of_subjects(e); !reason.empty()) return do_not_judge(e, reason);
    const counting_scope counting(e);
    if (!counting.fault().empty()) return cannot_count(e, counting.fault());
    if (e.is_child() && e.context.child()->task == child_task::launch) return measure_launch_value(e);
    switch (e.tree().bound) {
    case bound_kind::none: return measure_unbounded(e);
    case bound_kind::baseline:
        if (e.plan.against.empty()) return judge_stored(e);
        return is_counted(e.query().measured) ? judge_counted_builds(e) : judge_reference(e);
    default: break;
    }
    if (needs_fresh_process(e.query().measured)) return judge_fresh(e);
    if (is_counted(e.query().measured)) return judge_counts(e);
    if (is_told_by_body(e.query().measured) && (e.tree().bound == bound_kind::query || e.query().ratio)) return judge_value_pairs(e);
    if (e.query().measured == metric_kind::growth) return judge_growth(e);
    if (e.query().measured == metric_kind::stability) return judge_stability(e);
    e.tree().bound == bound_kind::query || e.query().ratio ? judge_ratio(e) : judge_blocks(e);
}

bool is_measurable(evaluation& e) {
    check_refusals(e);
    return outputs_allow_judging(e);
}

/// What a dry run does: mistakes in the claim are told as they would be.
inline void foresee_claim(evaluation& e) {
    const bool judged_in_any_mode =
        e.tree().verification && (e.plan.mode == evaluation_mode::measure || e.plan.mode == evaluation_mode::verify);
    std::string reason = judged_in_any_mode ? std::string{} : reason_not_to_judge(e);
    if (reason.empty() && !e.tree().verification) {
        refuse_idle_options(e);
        if (needs_single_iterations(e.query())) require_percentile_options(e);
        reason = reason_of_subjects(e);
    }
    foresee(e, reason);
}

inline void judge(evaluation& e) {
    check_refusals(e);
    refuse_comparison_with_itself(e);
    if (e.plan.dry_run && !e.is_child()) return foresee_claim(e);
    if (e.tree().verification) {
        if (e.plan.mode == evaluation_mode::off || e.plan.mode == evaluation_mode::smoke)
            return do_not_judge(e, reason_of_mode(e.plan.mode));
        return judge_output(e);
    }
    if (std::string reason = e.is_child() ? std::string{} : reason_not_to_judge(e); !reason.empty())
        return do_not_judge(e, std::move(reason));
    // The parent of a claim on a baseline never measures; its launches verify for themselves.
    const bool measures_here = e.is_child() || e.tree().bound != bound_kind::baseline;
    if (measures_here && !outputs_allow_judging(e)) return;
    const bool judges = !e.is_child() || e.context.child()->task == child_task::confirm;
    if (!e.is_child()) note_better_side(e);
    e.asked.tree.tolerance&& judges ? judge_within(e) : judge_by_bound(e);
}

/// Runs a stage; what goes wrong becomes the verdict invalid with its reason.
template <class Stage> bool attempt(evaluation& e, Stage stage) {
    try {
        stage(e);
        return true;
    } catch (const measurement_failure& failure) {
        const bool cannot_here = failure.kind == failure_kind::not_countable || failure.kind == failure_kind::lacking;
        set_verdict(e, cannot_here ? verdict::not_judged : verdict::invalid, failure.what());
        e.thrown = failure.cause;
    } catch (const input_error& wrong) { set_verdict(e, verdict::invalid, wrong.what()); }
    return false;
}

inline bool fails_test(const evaluation& e) {
    if (e.asked.where.effect == effect::warn) return false;
    switch (e.out.verdict) {
    case verdict::violated:
    case verdict::invalid: return true;
    case verdict::undecided: return e.plan.undecided == undecided_effect::fail;
    case verdict::holds:
    case verdict::not_judged: break;
    }
    return false;
}

inline bool is_asked_for(const evaluation& e) {
    const child_request& request = *e.context.child();
    return request.address.key == e.out.key && request.address.occurrence == e.occurrence;
}

/// Whether the parent left the test case at this assertion, which this process passes over.
inline bool parent_left(const evaluation& e) {
    const auto departures = e.context.departures_from(e.position.test);
    return std::ranges::find(departures, claim_address{e.out.key, e.occurrence}) != departures.end();
}

/// Judges, and says so where a body waited for an assertion.
inline void judge_in_turn(evaluation& e, assertion_turn& turn) {
    turn.allow(std::max(e.plan.budget, e.plan.cap));
    attempt(e, judge);
    const std::string reason = turn.reason_of_assertion_within();
    const bool is_told = e.out.reason.find(reason) != std::string::npos;  // as what the body threw; and where there is none
    if (!is_told) set_verdict(e, verdict::invalid, reason);
}

[[noreturn]] inline void answer_parent(evaluation& e, assertion_turn& turn) {
    turn.allow(std::max(e.plan.budget, e.plan.cap));
    if (e.context.child()->task == child_task::serve) serve_parent(e);
    if (e.position.failed_before) {
        set_verdict(e, verdict::invalid, "an assertion before the claim failed in the fresh process");
    } else {
        judge_in_turn(e, turn);
    }
    answer_and_stop(*e.context.child(), to_json_line(e.out));
}

inline void write_started(evaluation& e) {
    if (e.plan.output.empty()) return;
    e.out.dirty = e.context.has_uncommitted_changes();
    jsonl_sink(e.context.around().files, e.plan.output).started(e.out);
}

inline void write_result(evaluation& e) {
    if (!e.plan.output.empty()) jsonl_sink(e.context.around().files, e.plan.output)(e.out);
}

/// An assertion whose turn did not come, in a thread that a body waits for. The session belongs to the assertion that is at work.
inline assertion_outcome outcome_without_turn(evaluation& e, assertion_turn& turn) {
    identify(e);
    set_verdict(e, verdict::invalid, *turn.refusal());
    e.out.failed = !e.is_child() && fails_test(e);
    if (!e.is_child()) turn.leave_result(e.out);
    return {std::move(e.out), {}, e.is_child()};
}

/// Keeps the results of such assertions with that of the one whose body waited.
inline void keep_left_results(evaluation& e, assertion_turn& turn) {
    for (const record& left : turn.take_left_results()) {
        e.context.add(left);
        if (e.plan.output.empty()) continue;
        attempt(e, [&](evaluation& of) { jsonl_sink(of.context.around().files, of.plan.output)(left); });
    }
}

}  // namespace detail

assertion_outcome evaluate_assertion(session& context, host& framework, const assertion_request& request) {
    detail::assertion_turn turn(context, request);
    detail::evaluation e{context, framework, request, {}, framework.position(), {}, 0, {}, {}};
    if (turn.refusal()) return detail::outcome_without_turn(e, turn);
    std::optional<detail::work_in_progress> in_progress;
    if (!context.child()) in_progress.emplace(request.where, request.claim);
    e.number = context.next_evaluation();
    detail::identify(e);
    const bool prepared = detail::attempt(e, detail::prepare);
    if (e.is_child()) {
        if (prepared && detail::is_asked_for(e)) detail::answer_parent(e, turn);
        e.out.failed = request.where.effect == effect::require && (prepared ? detail::parent_left(e) : detail::fails_test(e));
        return {std::move(e.out), {}, true};
    }
    if (prepared && context.leaves_out(e.plan, e.out.axes)) {
        e.out.on_request = true;
        detail::set_verdict(e, verdict::not_judged, "left out by only=" + e.plan.only);
        return {std::move(e.out), {}, false, true};
    }
    if (prepared && detail::attempt(e, detail::write_started)) detail::judge_in_turn(e, turn);
    if (prepared) detail::write_traces(e);
    e.out.failed = detail::fails_test(e);
    detail::add_commands(e);
    detail::keep_left_results(e, turn);
    detail::attempt(e, detail::write_result);
    e.out.failed = detail::fails_test(e);
    if (e.out.failed && request.where.effect == effect::require && prepared) context.leave(e.position.test, {e.out.key, e.occurrence});
    context.add(e.out);
    return {std::move(e.out), e.thrown, false};
}

record detail::evaluate_expression(const located_expression& e, const option* options, std::size_t count) {
    const site where{"evaluate", "", e.file, e.line, e.effect, e.build, e.flags};
    return evaluate_assertion(this_session(), current_host(), {e.tree->node(), where, {}, {options, count}}).result;
}

}  // namespace perfspec
