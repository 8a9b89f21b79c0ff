// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// One assertion, from its place in a program to its record.

#include <perfspec/judge/answer.hpp>
#include <perfspec/judge/asked_settings-inl.hpp>
#include <perfspec/judge/evaluate.hpp>
#include <perfspec/judge/procedure.hpp>
#include <perfspec/judge/record_of.hpp>
#include <perfspec/judge/turn.hpp>
#include <perfspec/judge/processes/serve_claim.hpp>
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

inline finding invalid(const question& asked, std::string reason) {
    finding found = nothing_found(asked);
    set_verdict(found, verdict::invalid, std::move(reason));
    return found;
}

inline finding invalid_by_fault(const question& asked) {
    finding found = invalid(asked, asked.fault);
    found.failure = asked.failure;
    return found;
}

/// Answers. The finding is invalid if a body asserted.
inline answer_to_question answer_in_turn(const question& asked, const assertion_turn& turn) {
    answer_to_question a = answer(asked);
    asked.context.status().remove();
    const std::string reason = turn.reason_of_assertion_within();
    const bool is_told =
        a.found.reason.find(reason) != std::string::npos;  // true if the body threw the reason, or if there is none
    if (!is_told) set_verdict(a.found, verdict::invalid, reason);
    return a;
}

inline bool is_asked_for(const question& asked) {
    const child_request& request = *asked.context.child();
    return request.address.key == asked.key && request.address.occurrence == asked.occurrence;
}

/// Whether this process skips the assertion, but its parent left the test case there.
inline bool parent_left(const question& asked) {
    const auto abandoned_claims = asked.context.abandoned_claims_in(asked.position.test);
    return std::ranges::find(abandoned_claims, claim_address{asked.key, asked.occurrence}) != abandoned_claims.end();
}

[[noreturn]] inline void answer_parent(const question& asked, const assertion_turn& turn) {
    if (asked.context.child()->task == child_task::serve) serve_parent(asked);
    const finding found = asked.position.failed_before
                              ? invalid(asked, "an assertion before the claim failed in the fresh process")
                              : answer_in_turn(asked, turn).found;
    answer_and_stop(*asked.context.child(), to_json_line(record_of(asked, found)));
}

/// In a process that was started for one assertion: answers that assertion, and skips all others.
inline assertion_outcome answer_parent_or_pass_over(const question& asked, const assertion_turn& turn) {
    if (asked.fault.empty() && is_asked_for(asked)) answer_parent(asked, turn);
    record r = record_of(asked, asked.fault.empty() ? nothing_found(asked) : invalid_by_fault(asked));
    r.failed = asked.where.effect == effect::require && (!asked.fault.empty() || parent_left(asked));
    return {std::move(r), {}, true};
}

inline assertion_outcome left_out(const question& asked) {
    finding found = nothing_found(asked);
    found.on_request = true;
    set_verdict(found, verdict::not_judged, "left out by only=" + asked.plan.only);
    return {record_of(asked, found), {}, false, true};
}

/// Writes to the file of results, if there is one. A failure to write makes the claim invalid.
template <class Write> bool write_results(const question& asked, finding& found, Write write) {
    if (asked.plan.output.empty()) return true;
    try {
        jsonl_sink sink(asked.context.around().files, asked.plan.output);
        write(sink);
        return true;
    } catch (const input_error& wrong) { set_verdict(found, verdict::invalid, wrong.what()); }
    return false;
}

inline answer_to_question answer_and_explain(const question& asked, const assertion_turn& turn) {
    if (!asked.fault.empty()) return {invalid_by_fault(asked)};
    answer_to_question a{nothing_found(asked)};
    if (write_results(asked, a.found, [&](jsonl_sink& sink) { sink.started(record_of(asked, a.found)); }))
        a = answer_in_turn(asked, turn);
    explain_finding(asked, a.found);
    return a;
}

/// Reports to the session and to the file of results.
inline record keep_result(const question& asked, finding& found) {
    write_results(asked, found, [&](jsonl_sink& sink) { sink(record_of(asked, found)); });
    record r = record_of(asked, found);
    if (r.failed && asked.where.effect == effect::require && asked.fault.empty())
        asked.context.leave(asked.position.test, {asked.key, asked.occurrence});
    asked.context.add(r);
    return r;
}

}  // namespace detail

assertion_outcome evaluate_assertion(session& context, host& framework, const assertion_request& request) {
    const detail::assertion_turn turn(context, request);
    std::optional<detail::open_claim> open;
    if (!context.child()) open.emplace(request.where, request.claim);
    context.status().mute(context.child().has_value());
    const detail::question asked = detail::ask(context, framework, request);
    context.status().mute(asked.is_child() || asked.plan.verbosity == console_verbosity::quiet);
    if (asked.is_child()) return detail::answer_parent_or_pass_over(asked, turn);
    if (asked.fault.empty() && context.leaves_out(asked.plan, asked.axes)) return detail::left_out(asked);
    auto [found, thrown] = detail::answer_and_explain(asked, turn);
    return {detail::keep_result(asked, found), thrown, false};
}

record detail::evaluate_expression(const located_expression& e, const option* options, std::size_t count) {
    const site where{"evaluate", "", e.file, e.line, e.effect, e.build, e.flags, e.compiler};
    return evaluate_assertion(this_session(), current_host(), {e.tree->node(), where, {}, {options, count}}).result;
}

}  // namespace perfspec
