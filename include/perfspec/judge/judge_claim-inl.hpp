// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/against_baseline/stored_claim.hpp>
#include <perfspec/claim/devices.hpp>
#include <perfspec/claim/notes.hpp>
#include <perfspec/claim/observing.hpp>
#include <perfspec/claim/partial_result.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/claim/record_of.hpp>
#include <perfspec/judge/dry_run-inl.hpp>
#include <perfspec/judge/judge_claim.hpp>
#include <perfspec/judge/mistakes-inl.hpp>
#include <perfspec/judge/outputs.hpp>
#include <perfspec/judge/subject_reasons-inl.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/process_sample.hpp>
#include <perfspec/procedures/conclude.hpp>
#include <perfspec/procedures/exact_values.hpp>
#include <perfspec/procedures/procedure.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/session/build_kind.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

inline void refuse_unusable_subjects(const claim_context& context) {
    for (const subject& s : context.subjects) {
        if (!s.state().skip_reason.empty())
            throw measurement_failure(failure_kind::unavailable,
                                      "\"" + s.state().name + "\": " + s.state().skip_reason);
        const std::string& reason = s.state().error_reason;
        if (reason.empty()) continue;
        claim_result partial = empty_result(context);
        if (context.is_of_outputs) partial.verified = {verification_code::verifier_didnt_run, reason, {}};
        throw failure_with_result<input_error>(input_error("\"" + s.state().name + "\": " + reason),
                                               std::move(partial));
    }
    if (!context.differing_settings.empty())
        throw measurement_failure(failure_kind::unavailable, context.differing_settings);
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

/// Why the claim may not be judged in this build, mode or process; empty if it may. Outputs are compared in any build,
/// and also in the mode `verify`.
inline std::string reason_not_to_judge(const claim_context& context) {
    const plan& p = context.plan;
    if (context.is_of_outputs) return p.mode == evaluation_mode::verify ? std::string() : reason_of_mode(p.mode);
    if (std::string reason = reason_of_mode(p.mode); !reason.empty()) return reason;
    if (p.update != baseline_update::none && !context.is_against_baseline())
        return "baselines are being updated: only claims on baseline() are measured";
    return reason_of_build_or_machine(context.where.build, context.run);
}

/// Does what the mode or an update requests instead of judging.
inline claim_result do_not_judge(const claim_context& context, std::string reason) {
    const bool measures = context.plan.mode == evaluation_mode::measure;
    const bool updates = context.plan.update != baseline_update::none;
    claim_result result = empty_result(context);
    result.on_request = (!measures || updates) && is_on_request(context);
    outputs_check outputs = with_partial_result(result, [&] {
        if (context.plan.mode == evaluation_mode::smoke || (measures && !updates)) run_bodies_once(context);
        return context.plan.mode == evaluation_mode::verify ? check_outputs(context) : outputs_check{};
    });
    result.verified = std::move(outputs.verified);
    return judged(std::move(result),
                  outputs.against ? *std::move(outputs.against) : judgement{.reason = std::move(reason)});
}

/// Why the metric cannot be counted here; empty if it can. Throws input_error if that makes the claim an error.
inline std::string reason_not_to_count(const claim_context& context, const counting_scope& counting) {
    std::string reason = counting.fault();
    if (!reason.empty() && traits_of(context.query.metric).otherwise == unreadable::is_error) throw input_error(reason);
    return reason;
}

claim_result judge_by_procedure(const claim_context& context) {
    refuse_mistakes(context);
    if (std::string reason = reason_of_subjects(context); !reason.empty())
        return do_not_judge(context, std::move(reason));
    const counting_scope counting(context);
    if (std::string reason = reason_not_to_count(context, counting); !reason.empty())
        return do_not_judge(context, std::move(reason));
    const auto is = [&](child_task t) { return context.is_child() && context.run.child()->task == t; };
    const bool is_process = is(child_task::measure) || is(child_task::measure_later);
    return is_process ? measure_one_process(context) : procedure_for(context).judge(context);
}

std::string reason_not_to_measure(const claim_context& context) {
    refuse_unusable_subjects(context);
    const outputs_check outputs = check_outputs(context);
    return outputs.against ? outputs.against->reason : std::string();
}

/// Mistakes in the claim are reported as in a real run.
inline claim_result judge_dry_run(const claim_context& context) {
    std::string reason = reason_not_to_judge(context);
    if (reason.empty() && !context.is_of_outputs) {
        if (context.has_tolerance()) require_two_sides(context);
        refuse_mistakes(context);
        reason = reason_of_subjects(context);
    }
    if (reason.empty()) reason = reason_not_to_count(context, counting_scope(context));
    claim_result result = empty_result(context);
    result.on_request = is_on_request(context);
    result.forecast = forecast_of(context, reason);
    return judged(std::move(result), {.reason = "dry run"});
}

/// Judges the claim between two comparisons of its outputs, if it has comparable ones.
inline claim_result judge_with_outputs(const claim_context& context) {
    claim_result partial = empty_result(context);
    // For a claim on a baseline the processes verify the outputs.
    if (context.is_child() || !context.is_against_baseline()) {
        outputs_check outputs = check_outputs(context);
        partial.verified = std::move(outputs.verified);
        if (outputs.against) return judged(std::move(partial), *std::move(outputs.against));
    }
    const bool judges = !context.is_child() || context.run.child()->task == child_task::confirm;
    if (!context.is_child()) partial.notes = note_of_better_side(context);
    claim_result result = continued(partial, [&] {
        return context.has_tolerance() && judges ? judge_within(context) : judge_by_procedure(context);
    });
    return context.is_child() ? result : compare_outputs_again(context, std::move(result));
}

/// Judges the claim, or does what the mode, the build or an update requests instead.
inline claim_result judge_in_mode(const claim_context& context) {
    refuse_unusable_subjects(context);
    refuse_comparison_with_itself(context);
    if (context.plan.mode == evaluation_mode::dry_run && !context.is_child()) return judge_dry_run(context);
    if (std::string reason = context.is_child() ? std::string() : reason_not_to_judge(context); !reason.empty())
        return do_not_judge(context, std::move(reason));
    if (context.is_of_outputs) return procedure_for(context).judge(context);
    require_known_devices(context);
    return judge_with_outputs(context);
}

/// Notes the adapters' remarks on the samples of their subjects. Reading resets them, so they are read also for an
/// error claim, which needs no notes.
///
/// read   the adapter's function
inline std::vector<std::string> notes_of_samples(const claim_context& context, verdict v, const std::string& about,
                                                 std::string (*subject_state::*read)(void*)) {
    std::vector<std::string> notes;
    for (const subject& s : context.subjects) {
        const subject_state& state = s.state();
        const std::string text = state.*read == nullptr ? std::string() : (state.*read)(s.storage());
        if (!text.empty() && v != verdict::error)
            append(notes, note_once(context, about + " of " + state.name, "\"" + state.name + "\": " + text));
    }
    return notes;
}

/// The result with the notes that do not depend on the procedure.
inline claim_result with_general_notes(const claim_context& context, claim_result result) {
    const auto note = [&](std::vector<std::string> more) { append(result.notes, std::move(more)); };
    note(notes_of_samples(context, result.verdict, "caveat", &subject_state::caveat));
    if (const module_metric* const module = module_of(context.query); module != nullptr && result.estimate)
        note(module->notes(context));
    note(notes_of_samples(context, result.verdict, "slow samples", &subject_state::report_slow_samples));
    if (result.estimate) note(note_of_unwatched_devices(context));
    if (result.workers.empty()) result.workers = workers_of(context);  // otherwise a fresh process reported them
    if (result.verdict != verdict::error) note(notes_of_workers(context, result.workers));
    return result;
}

judgement judgement_of_exception(const std::exception& fault) {
    return {verdict::error,
            std::string("the claim could not be judged: ") + fault.what(),
            {},
            is_lack_of_memory(fault) ? std::optional(failure_kind::out_of_memory) : std::nullopt};
}

/// What the exception that is being handled makes of the claim.
inline judged_claim judged_by_exception(const claim_context& context) {
    context.framework.measuring_ends();  // bodies_run_scope ended while the exception was in flight
    try {
        throw;
    } catch (const measurement_failure& failure) {
        const bool is_unavailable =
            failure.kind == failure_kind::not_countable || failure.kind == failure_kind::unavailable;
        return {judged(partial_result(empty_result(context), failure),
                       {is_unavailable ? verdict::skipped : verdict::error, failure.what(), {}, failure.kind}),
                failure.cause};
    } catch (const input_error& wrong) {
        return {judged(partial_result(empty_result(context), wrong), {verdict::error, wrong.what()})};
    } catch (const std::exception& fault) { return {judged(empty_result(context), judgement_of_exception(fault))}; }
}

judged_claim judge_claim(const claim_context& context) {
    judged_claim claim;
    try {
        claim.result = judge_in_mode(context);
        const bool has_claim = context.is_bounded() || context.is_of_outputs;
        if (!has_claim && claim.result.verdict == verdict::holds) claim.result.verdict = verdict::measured;
    } catch (const std::exception&) { claim = judged_by_exception(context); }
    claim.result = without_exceptions(
        context, claim.result, [&](claim_result judged) { return with_general_notes(context, std::move(judged)); });
    context.run.status().remove();
    return claim;
}

}  // namespace perfspec::inline v0_2::detail
