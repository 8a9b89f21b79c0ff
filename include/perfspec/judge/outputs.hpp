// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/claim_context.hpp>
#include <perfspec/language/verification.hpp>
#include <perfspec/report/claim_result.hpp>

#include <optional>

namespace perfspec::inline v0_2::detail {

/// Throws input_error for a claim that compares a subject with itself.
void refuse_comparison_with_itself(const claim_context& context);

/// A comparison of outputs for a claim on the performance of two subjects.
struct outputs_check {
    std::optional<verification> verified{};  ///< empty if they were not compared
    std::optional<judgement> against{};      ///< why they allow no verdict; empty if they do
};

/// Compares the outputs of the two subjects before measuring. They allow a verdict if they agree, if no adapter can
/// compare them, and if a subject is unverified.
[[nodiscard]] outputs_check check_outputs(const claim_context& context);

/// Compares the outputs of a claim that holds once more: a body may be right only in its first calls, or only under the
/// settings that make comparisons repeat. If they agreed before measuring and do not now, the verdict becomes an error.
/// Does nothing if they were not compared, or if fresh processes were measured.
[[nodiscard]] claim_result compare_outputs_again(const claim_context& context, claim_result result);

/// Judges a claim that outputs agree.
[[nodiscard]] claim_result judge_output(const claim_context& context);

}  // namespace perfspec::inline v0_2::detail
