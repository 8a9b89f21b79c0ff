// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/claim_context.hpp>

#include <string>

namespace perfspec::detail {

/// Adds a note to the result, unless this test case already has one with the same `about`.
void add_note(const claim_context& context, claim_result& result, const std::string& about, std::string text);

/// Adds the notes of a fresh process that measured this claim.
void add_notes(const claim_context& context, claim_result& result, const record& answer);

/// Tells what the subjects of other processes depend on there, as far as these were started, and notes where that
/// differs between them: a ratio of two such subjects compares this, too.
void describe_workers(const claim_context& context, claim_result& result);

/// Notes a bound on the better side: such a claim holds even after a regression.
void note_better_side(const claim_context& context, claim_result& result);

/// Notes which kernels the samples of a kernel_time are of, and how often an iteration launches them.
void note_kernels(const claim_context& context, claim_result& result);

/// Notes that a first run in this process is no longer the first, where earlier assertions ran bodies.
void note_not_first(const claim_context& context, claim_result& result);

}  // namespace perfspec::detail
