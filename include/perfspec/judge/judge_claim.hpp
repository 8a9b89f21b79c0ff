// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/claim_context.hpp>
#include <perfspec/language/verification.hpp>
#include <perfspec/procedures/procedure.hpp>
#include <perfspec/report/claim_result.hpp>
#include <perfspec/session/host.hpp>
#include <perfspec/session/session.hpp>

#include <exception>
#include <memory>
#include <optional>
#include <string>

namespace perfspec::inline v0_2 {

/// The result of one assertion.
struct assertion_outcome {
    record result;
    std::exception_ptr thrown;   ///< what a body threw, if that made the record an error
    bool skipped{};              ///< by a child of another assertion; fails if the parent left the test case here
    bool left_out{};             ///< the option `only` left it out: it did not run and is not reported
    bool is_of_measured_body{};  ///< a thread of a measured body made it: that body's claim reports it
    std::shared_ptr<const evaluation_samples> samples{};  ///< what it measured
};

/// Evaluates one assertion: claim, plan, rounds, evidence, verdict, record. In a child process that was started for
/// this assertion, it does not return. A user's mistake becomes an *error* record and is not thrown. Throws
/// detail::assertion_within_assertion if the body of another assertion's subject asserts.
[[nodiscard]] assertion_outcome evaluate_assertion(session& run, host& framework, const assertion_request& request);

namespace detail {

/// The procedure for a claim: an adapter's if one takes the claim; otherwise the core's. Dry runs, and processes that
/// repeat a claim, use it, too.
[[nodiscard]] procedure procedure_for(const claim_context& context);

/// Judges a claim or one side of its tolerance, or measures a query. A process that was started for a process measures
/// that process instead. The verdict is *skipped* if the subjects cannot be read here. Throws as procedures do.
[[nodiscard]] claim_result judge_by_procedure(const claim_context& context);

/// Why this process may not measure the claim: its outputs do not agree. Empty if it may. Throws input_error for a
/// refused subject.
[[nodiscard]] std::string reason_not_to_measure(const claim_context& context);

/// Throws input_error for a tolerance that reaches down to 0.
void require_two_sides(const claim_context& context);

/// Judges both sides of a tolerance.
[[nodiscard]] claim_result judge_within(const claim_context& context);

/// The result, and the exception of a body if that is why the claim is an error.
struct judged_claim {
    claim_result result;
    std::exception_ptr thrown{};
};

/// The judgement of a claim during which this library or the system threw: std::bad_alloc, std::system_error.
[[nodiscard]] judgement judgement_of_exception(const std::exception& fault);

/// The result after a step that takes it. If the step throws, the result before it, which becomes an error.
template <class Step>
[[nodiscard]] claim_result without_exceptions(const claim_context& context, const claim_result& before, Step step) {
    try {
        return step(before);
    } catch (const std::exception& fault) {
        context.framework.measuring_ends();
        return judged(before, judgement_of_exception(fault));
    }
}

/// Judges a claim, or does what the plan requests instead. Mistakes of the user and of bodies become results.
[[nodiscard]] judged_claim judge_claim(const claim_context& context);

/// Runs every body once, untimed.
void run_bodies_once(const claim_context& context);

/// Serves the parent process until it sends "finish" or ends. Then ends this process.
[[noreturn]] void serve_parent(const claim_context& context);

/// Sends "unreached" with the suite if this process ends without reaching its claim. Call once, before main.
void send_unreached_at_exit();

}  // namespace detail
}  // namespace perfspec::inline v0_2
