// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace perfspec {

/// The known name that a mistyped one most likely means: the fewest letters inserted, deleted, replaced or swapped with a neighbour.
///
/// returns nothing when that takes more than a third of the letters, and the first of several equally near.
/// Method: optimal string alignment distance, Damerau, "A technique for computer detection and correction of spelling errors" (1964).
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view mistyped, std::span<const std::string> known);

}  // namespace perfspec
