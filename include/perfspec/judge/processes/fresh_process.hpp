// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/claim_context.hpp>
#include <perfspec/process/child_request.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/process/variables.hpp>
#include <perfspec/report/claim_result.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace perfspec::detail {

/// Whether this claim can be repeated in a fresh process: confirmation is on, and it is known how to start this program
/// again.
[[nodiscard]] bool can_be_repeated(const claim_context& context);

/// Whether this program, or another build of it, can be started again to reach this claim.
[[nodiscard]] bool can_start_again(const claim_context& context);

/// The command that starts a program for this claim: this one, or another build of it.
[[nodiscard]] child_command command_of_child(const claim_context& context, child_task task,
                                             const std::string& executable);

/// The environment without options that a build of an older version would refuse.
[[nodiscard]] variable_list without_new_options(variable_list variables);

/// The index of the subject that this process measures.
/// Throws input_error where the parent asks for a second subject that this claim lacks: the programs are not built from
/// the same sources.
[[nodiscard]] std::size_t subject_of_this_process(const claim_context& context);

/// What a fresh process reported about this claim: a record of one stage or one launch, or why there is none.
struct child_evidence {
    std::optional<record> answer;
    std::string fault;
    double seconds{};
    disturbances disturbed{};  ///< there, and by the wait for the machine
};

/// Starts this program again for this claim.
[[nodiscard]] child_evidence ask_child(const claim_context& context, child_task task);

/// The result of a claim that is violated in this process, once it was repeated. It stays violated only where the fresh
/// process agrees.
[[nodiscard]] claim_result confirm_violation(const claim_context& context, claim_result result);

}  // namespace perfspec::detail
