// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <vector>

namespace perfspec::detail {

/// The middle reading, or the mean of the middle two. There must be at least one. `stats` has its own median for
/// evidence, but this stage must not include it.
[[nodiscard]] double middle_of(std::vector<double> readings);

}  // namespace perfspec::detail
