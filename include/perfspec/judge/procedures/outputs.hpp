// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/question.hpp>
#include <perfspec/report/finding.hpp>

namespace perfspec::detail {

/// Throws input_error for a claim that compares a subject with itself.
void refuse_comparison_with_itself(const question& asked);

/// A comparison with a wrong answer counts for nothing: false, with the verdict invalid, unless the outputs agree or nobody can compare them.
[[nodiscard]] bool outputs_allow_judging(const question& asked, finding& found);

/// Every body once, untimed.
void run_bodies_once(const question& asked);

}  // namespace perfspec::detail
