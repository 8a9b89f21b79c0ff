// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/claim_context.hpp>
#include <perfspec/report/claim_result.hpp>

namespace perfspec::detail {

/// Throws input_error for a claim that compares a subject with itself.
void refuse_comparison_with_itself(const claim_context& context);

/// Whether the outputs allow a verdict. False, with the verdict invalid, where the outputs of the two subjects
/// were not compared or do not agree.
/// True where no adapter can compare them, or where a subject is unverified.
[[nodiscard]] bool outputs_allow_judging(const claim_context& context, claim_result& result);

/// Compares the outputs once more where a claim holds, because a body may be right in its first calls only, or only
/// under the settings that make comparisons repeat. The verdict becomes invalid where they agreed before it was
/// measured, and do not now. Nothing where they were not compared, or where fresh processes were measured.
void compare_outputs_again(const claim_context& context, claim_result& result);

/// Runs every body once, untimed.
void run_bodies_once(const claim_context& context);

}  // namespace perfspec::detail
