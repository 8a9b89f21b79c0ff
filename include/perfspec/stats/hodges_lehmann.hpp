// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <span>

namespace perfspec {

/// The centre that ranks and signs test together: the median of the averages (x_i + x_j) / 2 over all i <= j. With an
/// even number of averages, it is the mean of the middle two.
///
/// The result is exact. It costs O(n log n) for the sort and O(n) for each of at most 64 counts, and does not store the
/// averages. Throws input_error for no values or one that is not finite. Source: Hodges & Lehmann, "Estimates of
/// location based on rank tests", Ann. Math. Statist. 34 (1963).
[[nodiscard]] double hodges_lehmann(std::span<const double> values);

}  // namespace perfspec
