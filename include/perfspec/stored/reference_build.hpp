// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/question.hpp>

namespace perfspec::detail {

/// More launch pairs than the usual twenty are taken where they are cheap (stats/README.md, "Launch pairs"): processes of one build can differ by
/// several percent, for as long as they live, and then twenty show nothing. The sequential test may go on, at the same rates; what stops it is
/// patience.
inline constexpr std::size_t max_launch_pairs = 200;
inline constexpr double patience_ns = 10e9;

/// How many launch pairs a claim may take that takes so long for one: twenty, more where they fit into the patience, or a given budget.
[[nodiscard]] std::size_t max_pairs_of(const question& asked, double one_ns);

/// Throws measurement_failure, with what to allow, where so few launch pairs as nothing can be judged by do not fit into the cap, or a given
/// budget. one_ns: what one takes.
void require_launch_pairs_fit(const question& asked, double one_ns);

}  // namespace perfspec::detail
