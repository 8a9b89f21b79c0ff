// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

namespace perfspec::testing {

/// The greatest rate that so many successes in so many trials do not exclude at 95 %, one-sided (Clopper and Pearson,
/// Biometrika 1934): nothing in 300 trials is a rate of at most 1 %.
///
/// Precondition: successes <= trials, trials > 0.
[[nodiscard]] double greatest_rate(std::size_t successes, std::size_t trials);

}  // namespace perfspec::testing
