// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// One assertion, from its place in a program to its record.

#include <perfspec/judge/asked_settings-inl.hpp>
#include <perfspec/judge/evaluate.hpp>
#include <perfspec/judge/evaluation_lock.hpp>
#include <perfspec/judge/judge_claim.hpp>
#include <perfspec/judge/procedure.hpp>
#include <perfspec/judge/processes/serve_claim.hpp>
#include <perfspec/judge/record_of.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/process/child.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/report/json_lines.hpp>
#include <perfspec/session/process_end.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace perfspec {
namespace detail {

inline claim_result invalid(const claim_context& context, std::string reason) {
    claim_result result = empty_result(context);
    set_verdict(result, verdict::invalid, std::move(reason));
    return result;
}

inline claim_result invalid_by_fault(const claim_context& context) {
    claim_result result = invalid(context, context.fault);
    result.failure = context.failure;
    return result;
}

/// Answers. The result is invalid if a body asserted.
inline judged_claim judge_alone(const claim_context& context, const evaluation_lock& turn) {
    judged_claim a = judge_claim(context);
    context.run.status().remove();
    const std::string reason = turn.reason_of_assertion_within();
    const bool is_told =
        a.result.reason.find(reason) != std::string::npos;  // true if the body threw the reason, or if there is none
    if (!is_told) set_verdict(a.result, verdict::invalid, reason);
    return a;
}

inline bool is_requested(const claim_context& context) {
    const child_request& request = *context.run.child();
    return request.address.key == context.key && request.address.occurrence == context.occurrence;
}

/// Whether this process skips the assertion, but its parent left the test case there.
inline bool parent_abandoned(const claim_context& context) {
    const auto abandoned_claims = context.run.abandoned_claims_in(context.position.test);
    return std::ranges::find(abandoned_claims, claim_address{context.key, context.occurrence}) !=
           abandoned_claims.end();
}

[[noreturn]] inline void serve_parent_claim(const claim_context& context, const evaluation_lock& turn) {
    if (context.run.child()->task == child_task::serve) serve_parent(context);
    const claim_result result = context.position.failed_before
                                    ? invalid(context, "an assertion before the claim failed in the fresh process")
                                    : judge_alone(context, turn).result;
    reply_and_exit(*context.run.child(), to_json_line(record_of(context, result)));
}

/// In a process that was started for one assertion: answers that assertion, and skips all others.
inline assertion_outcome serve_or_skip(const claim_context& context, const evaluation_lock& turn) {
    if (context.fault.empty() && is_requested(context)) serve_parent_claim(context, turn);
    record r = record_of(context, context.fault.empty() ? empty_result(context) : invalid_by_fault(context));
    r.failed = context.where.effect == effect::require && (!context.fault.empty() || parent_abandoned(context));
    return {std::move(r), {}, true};
}

inline assertion_outcome left_out(const claim_context& context) {
    claim_result result = empty_result(context);
    result.on_request = true;
    set_verdict(result, verdict::not_judged, "left out by only=" + context.plan.only);
    return {record_of(context, result), {}, false, true};
}

/// Writes to the file of results, if there is one. A failure to write makes the claim invalid.
template <class Write> bool write_results(const claim_context& context, claim_result& result, Write write) {
    if (context.plan.output.empty()) return true;
    try {
        jsonl_sink sink(context.run.system().files, context.plan.output);
        write(sink);
        return true;
    } catch (const input_error& wrong) { set_verdict(result, verdict::invalid, wrong.what()); }
    return false;
}

inline judged_claim judge_and_explain(const claim_context& context, const evaluation_lock& turn) {
    if (!context.fault.empty()) return {invalid_by_fault(context)};
    judged_claim a{empty_result(context)};
    if (write_results(context, a.result, [&](jsonl_sink& sink) { sink.started(record_of(context, a.result)); }))
        a = judge_alone(context, turn);
    explain_finding(context, a.result);
    return a;
}

/// Reports to the session and to the file of results.
inline record keep_result(const claim_context& context, claim_result& result) {
    write_results(context, result, [&](jsonl_sink& sink) { sink(record_of(context, result)); });
    record r = record_of(context, result);
    if (r.failed && context.where.effect == effect::require && context.fault.empty())
        context.run.leave(context.position.test, {context.key, context.occurrence});
    context.run.add(r);
    return r;
}

}  // namespace detail

assertion_outcome evaluate_assertion(session& run, host& framework, const assertion_request& request) {
    const detail::evaluation_lock turn(run, request);
    std::optional<detail::open_claim> open;
    if (!run.child()) open.emplace(request.where, request.claim);
    run.status().mute(run.child().has_value());
    const detail::claim_context context = detail::make_claim_context(run, framework, request);
    run.status().mute(context.is_child() || context.plan.verbosity == console_verbosity::quiet);
    if (context.is_child()) return detail::serve_or_skip(context, turn);
    if (context.fault.empty() && run.leaves_out(context.plan, context.axes)) return detail::left_out(context);
    auto [found, thrown] = detail::judge_and_explain(context, turn);
    return {detail::keep_result(context, found), thrown, false};
}

evaluation detail::evaluate_expression(const located_expression& e, const option* options, std::size_t count) {
    const site where{"evaluate", "", e.file, e.line, e.effect, e.build, e.flags, e.compiler};
    return evaluation(
        evaluate_assertion(this_session(), current_host(), {e.tree->node(), where, {}, {options, count}}).result);
}

}  // namespace perfspec
