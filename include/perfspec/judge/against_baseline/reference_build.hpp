// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/claim_context.hpp>

namespace perfspec::detail {

/// A claim takes more launch pairs than the usual twenty where they are cheap (stats/README.md, "Launch pairs").
/// Processes of one build can differ by several percent for as long as they live, and then twenty pairs show nothing.
/// The sequential test may go on at the same error rates, until max_launch_pairs or the patience.
inline constexpr std::size_t max_launch_pairs = 200;
inline constexpr double patience_ns = 10e9;

/// How many launch pairs a claim may take where one takes one_ns: twenty, or more where they fit into the patience or a
/// given budget.
[[nodiscard]] std::size_t max_pairs_of(const claim_context& context, double one_ns);

/// Throws measurement_failure where the fewest launch pairs for a verdict do not fit into the cap or a given budget.
/// The text says what to allow. one_ns is the time of one pair.
void require_launch_pairs_fit(const claim_context& context, double one_ns);

}  // namespace perfspec::detail
