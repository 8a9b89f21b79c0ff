// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/question.hpp>
#include <perfspec/report/finding.hpp>

namespace perfspec::detail {

/// Fits the power of growth in this process.
void measure_growth(const claim_context& context, finding& found);

}  // namespace perfspec::detail
