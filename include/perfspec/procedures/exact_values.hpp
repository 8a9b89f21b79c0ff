// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Values that are compared without statistics: counts and metrics on which all readings agree.

#include <perfspec/claim/claim_context.hpp>
#include <perfspec/report/claim_result.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// How many fresh processes have to agree before a module's counts are compared exactly, at least three. If a body
/// takes one of two ways by chance in each process, they all agree at most at this rate. Five at the default of
/// `false_pass`, 1/2^5 < 5 %.
[[nodiscard]] std::size_t processes_that_agree(double rate);

[[nodiscard]] bool do_agree(const std::vector<double>& values);

/// Throws input_error for a bound below 0 or not finite: every count or metric would be on the same side of it.
void require_bound_of_counts(const claim_context& context, double bound);

/// "96025, 96025, 96031".
[[nodiscard]] std::string list_of_counts(const claim_context& context, const std::vector<double>& values);

/// The bound in the words of another query: "0.5 x 12 of allocations(a)".
[[nodiscard]] std::string counted_bound_text(const claim_context& context, double other);

/// The result with an exact value: no interval and no margin.
[[nodiscard]] claim_result with_exact_value(const claim_context& context, claim_result result, double value,
                                            double bound);

/// The same with the verdict.
[[nodiscard]] claim_result compare_exactly(const claim_context& context, claim_result result, double value,
                                           double bound);

/// The same for a value on which all readings agree. Repeats a violated claim.
[[nodiscard]] claim_result compare_agreed(const claim_context& context, claim_result result, double value,
                                          double bound);

}  // namespace perfspec::inline v0_2::detail
