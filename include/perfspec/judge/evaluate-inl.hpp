// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// One assertion, from its place in a program to its record.

#include <perfspec/claim/modules.hpp>
#include <perfspec/claim/partial_result.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/claim/record_of.hpp>
#include <perfspec/fresh_processes/take_processes.hpp>
#include <perfspec/judge/evaluate.hpp>
#include <perfspec/judge/judge_claim.hpp>
#include <perfspec/procedures/procedure.hpp>
#include <perfspec/process/child.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/report/json_lines.hpp>
#include <perfspec/session/host.hpp>
#include <perfspec/session/session.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace perfspec::inline v0_2 {
namespace detail {

class evaluation_lock;

/// The turn of assertions, and the innermost one that has it.
struct evaluation_turn {
    std::recursive_timed_mutex mutex{};
    std::mutex holder_mutex{};
    evaluation_lock* holder{};  ///< null: none
};

inline evaluation_turn& turn_of_this_process() {
    static evaluation_turn turn;
    return turn;
}

/// Thrown when a subject's body asserts: such a body cannot be timed.
struct assertion_within_assertion : std::logic_error {
    using std::logic_error::logic_error;
};

inline std::string assertion_within_text(const std::string& place) {
    return "the measured body asserts " + place + ": move the assertion out of the body";
}

/// Lets one assertion at a time measure in this process. Those of other threads wait.
class evaluation_lock {
public:
    /// Waits for its turn, unless a measured body waits for this thread. Throws assertion_within_assertion if this
    /// thread has the turn already in the same session: a measured body asserts.
    evaluation_lock(session& run, const assertion_request& request) : run_(&run) {
        const std::string text = assertion_text(request.where, request.claim);
        if (evaluation_lock* const outer = of_this_thread(); outer != nullptr && outer->run_ == &run) {
            const std::lock_guard hold(turn_.holder_mutex);
            outer->asserted_within_ = text;  // stored, because the body may swallow the exception
            throw assertion_within_assertion(assertion_within_text(text));
        }
        if (!wait_for_turn(run.system().patience_for_turn, text)) return;
        outer_ = of_this_thread();
        set_holder(this);
    }
    evaluation_lock(const evaluation_lock&) = delete;
    evaluation_lock& operator=(const evaluation_lock&) = delete;
    ~evaluation_lock() {
        if (has_turn()) set_holder(outer_);
    }

    [[nodiscard]] bool has_turn() const noexcept { return lock_.owns_lock(); }

    /// Why this assertion is an error: its body asserted. Empty if it did not.
    [[nodiscard]] std::string reason_of_assertion_within() const {
        const std::lock_guard hold(turn_.holder_mutex);
        return asserted_within_.empty() ? std::string{} : assertion_within_text(asserted_within_);
    }

private:
    /// The innermost lock of this thread; null if it has none.
    static evaluation_lock*& of_this_thread() {
        static thread_local evaluation_lock* innermost = nullptr;
        return innermost;
    }
    void set_holder(evaluation_lock* holder) {
        const std::lock_guard hold(turn_.holder_mutex);
        of_this_thread() = turn_.holder = holder;
    }

    /// Returns false, and makes the claim that has the turn an error, if its body waits for this thread: one run of it
    /// lasts for twice the patience, and uses no processor. Twice, because a process that was stopped and goes on looks
    /// idle once.
    bool wait_for_turn(std::chrono::nanoseconds patience, const std::string& text) {
        current_run before = run_of_now();
        bool was_idle = false;
        while (!lock_.try_lock_for(patience)) {
            const std::lock_guard hold(turn_.holder_mutex);
            const current_run now = run_of_now();
            const bool goes_on = turn_.holder != nullptr && now.number != 0 && now.number == before.number;
            const bool is_idle = goes_on && 100 * (now.processor_ns - before.processor_ns) < patience.count();
            if (was_idle && is_idle) {
                turn_.holder->asserted_within_ = text;
                return false;
            }
            was_idle = is_idle;
            before = now;
        }
        return true;
    }

    const session* run_;
    evaluation_turn& turn_{turn_of_this_process()};
    std::unique_lock<std::recursive_timed_mutex> lock_{turn_.mutex, std::defer_lock};
    evaluation_lock* outer_{};
    std::string asserted_within_{};  ///< empty if no body asserted
};

inline claim_result error_result(const claim_context& context, std::string reason) {
    return judged(empty_result(context), {verdict::error, std::move(reason)});
}

inline claim_result error_by_fault(const claim_context& context) {
    return judged(empty_result(context), {verdict::error, context.fault, {}, context.failure});
}

/// The result, which is an error if a body asserted.
inline claim_result measured_alone(const evaluation_lock& turn, claim_result result) {
    const std::string reason = turn.reason_of_assertion_within();
    const bool is_said = result.reason.find(reason) != std::string::npos;  // the body threw it
    return reason.empty() || is_said ? result : judged(std::move(result), {verdict::error, reason});
}

inline bool is_requested(const claim_context& context) {
    const child_request& request = *context.run.child();
    return request.address.key == context.key && request.address.occurrence == context.occurrence;
}

/// Whether the parent process left the test case at this assertion, which this process skips.
inline bool parent_abandoned(const claim_context& context) {
    const auto abandoned_claims = context.run.abandoned_claims_in(context.position.test);
    return std::ranges::find(abandoned_claims, claim_address{context.key, context.occurrence}) !=
           abandoned_claims.end();
}

[[noreturn]] inline void serve_parent_claim(const claim_context& context, const evaluation_lock& turn) {
    if (context.run.child()->task == child_task::serve) serve_parent(context);
    const claim_result result = context.position.failed_before
                                    ? error_result(context, "an assertion before the claim failed in the fresh process")
                                    : measured_alone(turn, judge_claim(context).result);
    reply_and_exit(*context.run.child(), to_json_line(record_of(context, result)));
}

/// Runs the bodies of a skipped assertion once, because the requested one may need what they make.
inline void run_skipped(const claim_context& context) {
    try {
        run_bodies_once(context);
    } catch (const std::exception&) {}  // the parent reports it
}

/// In a process that was started for one assertion: judges that assertion, and skips all others.
inline assertion_outcome serve_or_skip(const claim_context& context, const evaluation_lock& turn) {
    if (context.fault.empty() && is_requested(context)) serve_parent_claim(context, turn);
    if (context.fault.empty() && context.run.child()->task == child_task::measure_later) run_skipped(context);
    record r = record_of(context, context.fault.empty() ? empty_result(context) : error_by_fault(context));
    r.failed = context.where.effect == effect::require && (!context.fault.empty() || parent_abandoned(context));
    return {std::move(r), {}, true};
}

inline assertion_outcome left_out(const claim_context& context) {
    claim_result result = empty_result(context);
    result.on_request = true;
    result.reason = "left out by only=" + context.plan.only;
    return {record_of(context, result), {}, false, true};
}

/// The assertion of a thread of a measured body, which is not evaluated. The claim on that body is an error, too.
inline assertion_outcome within_body(const assertion_request& request) {
    record r;
    r.macro = request.where.macro;
    r.claim = std::string(request.claim);
    r.file = request.where.file;
    r.line = request.where.line;
    r.verdict = verdict::error;
    r.reason = "a measured body waits for the thread of this assertion: move the assertion out of the body";
    r.failed = request.where.effect != effect::warn;
    return {std::move(r), {}, false, false, true};
}

/// Appends a line to the file of results, if there is one. A failure makes the result an error.
inline claim_result after_writing(const claim_context& context, claim_result result,
                                  std::string (*line_of)(const record&)) {
    if (context.plan.output.empty()) return result;
    try {
        append_result(context.run.system().files, context.plan.output, line_of(record_of(context, result)));
        return result;
    } catch (const std::exception& wrong) { return judged(std::move(result), {verdict::error, wrong.what()}); }
}

/// The judged claim with its explanation, between the two lines that it has in the file of results.
inline judged_claim evaluated(const claim_context& context, const evaluation_lock& turn) {
    if (!context.fault.empty()) return {error_by_fault(context)};
    claim_result started = after_writing(context, empty_result(context), to_started_line);
    if (started.verdict == verdict::error) return {std::move(started)};
    judged_claim a = judge_claim(context);
    a.result = without_exceptions(context, measured_alone(turn, std::move(a.result)),
                                  [&](claim_result result) { return explained(context, std::move(result)); });
    return a;
}

/// Reports to the session and to the file of results.
inline record report_result(const claim_context& context, claim_result result) {
    result = after_writing(context, std::move(result), to_json_line);
    record r = record_of(context, result);
    if (r.failed && context.where.effect == effect::require && context.fault.empty())
        context.run.leave(context.position.test, {context.key, context.occurrence});
    context.run.add(r);
    return r;
}

}  // namespace detail

assertion_outcome evaluate_assertion(session& run, host& framework, const assertion_request& request) {
    const detail::evaluation_lock turn(run, request);
    if (!turn.has_turn()) return detail::within_body(request);
    std::optional<detail::open_claim> open;
    if (!run.child()) open.emplace(request.where, request.claim);
    run.status().mute(run.child().has_value());
    const detail::claim_context context = detail::make_claim_context(run, framework, request);
    run.status().mute(context.is_child() || context.plan.verbosity == console_verbosity::quiet);
    if (context.is_child()) return detail::serve_or_skip(context, turn);
    if (context.fault.empty() && run.leaves_out(context.plan, context.axes)) return detail::left_out(context);
    auto [result, thrown] = detail::evaluated(context, turn);
    return {detail::report_result(context, std::move(result)), thrown, false, false, false, context.samples};
}

evaluation detail::evaluate_expression(const located_expression& e, const option* options, std::size_t count) {
    const site where{"evaluate", "", e.file, e.line, e.effect, e.build, e.flags, e.compiler};
    return evaluation(
        evaluate_assertion(this_session(), current_host(), {e.tree->node(), where, {}, {options, count}}).result);
}

void assertion::evaluate(const detail::expression& claim_or_query, const option* options, std::size_t count) {
    host& framework = detail::current_host();
    const std::string_view claim = site_->arguments;
    const assertion_outcome outcome =
        evaluate_assertion(this_session(), framework, {claim_or_query.node(), *site_, claim, {options, count}});
    if (outcome.is_of_measured_body) return;
    outcome.left_out ? framework.leave_out(*site_, claim)
                     : framework.report(*site_, claim, evaluation(outcome.result), outcome.thrown);
}

void assertion::threw() {
    try {
        throw;
    } catch (const detail::assertion_within_assertion&) {
        throw;  // ends what is being measured
    } catch (...) { detail::current_host().unexpected_exception(*site_); }
}

}  // namespace perfspec::inline v0_2
