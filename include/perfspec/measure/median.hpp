// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <vector>

namespace perfspec::detail {

/// The middle reading, or the mean of the middle two; of at least one. `stats` has its own for evidence, and lies to the right.
[[nodiscard]] double middle_of(std::vector<double> readings);

}  // namespace perfspec::detail
