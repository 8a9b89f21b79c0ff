// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/claim_context.hpp>
#include <perfspec/report/claim_result.hpp>

namespace perfspec::detail {

/// Fits the power of growth in this process.
void measure_growth(const claim_context& context, claim_result& result);

}  // namespace perfspec::detail
