// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/child_request.hpp>
#include <perfspec/run/evaluation.hpp>

#include <optional>
#include <string>

namespace perfspec::detail {

/// Whether this claim can be repeated in a fresh process: confirmation is on, and somebody knows how to start this program again.
[[nodiscard]] bool can_be_repeated(const evaluation& e);

/// What a fresh process said about this claim: a record of one stage or one launch; or why there is none.
struct child_evidence {
    std::optional<record> answer;
    std::string fault;
    double seconds{};
};

/// Starts this program again for this claim.
[[nodiscard]] child_evidence ask_child(evaluation& e, child_task task);

/// Repeats a claim that this process found violated; it stays so only when the fresh process agrees.
void confirm_violation(evaluation& e);

/// Adds what disturbed a fresh process to what disturbed the assertion.
void add_disturbances(evaluation& e, const child_evidence& child);

}  // namespace perfspec::detail
