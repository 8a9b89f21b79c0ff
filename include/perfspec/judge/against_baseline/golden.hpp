// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/claim_context.hpp>
#include <perfspec/report/claim_result.hpp>

namespace perfspec::detail {

/// Compares outputs that PASS with the golden outputs, bit by bit. With the update flag, and on the first run of
/// a machine, keeps them instead.
/// Throws input_error for a file that cannot be used.
void judge_golden(const claim_context& context, claim_result& result);

}  // namespace perfspec::detail
