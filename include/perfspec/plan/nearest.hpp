// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace perfspec {

/// The known name that a mistyped one most likely means: with the fewest letters inserted, deleted, replaced or swapped
/// with a neighbour.
///
/// Returns the first of several equally near names, and nothing if more than a third of the letters would have to
/// change; letters that all names begin with do not count. Method: optimal string alignment distance, Damerau, "A
/// technique for computer detection and correction of spelling errors" (1964).
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view mistyped, std::span<const std::string> known);

namespace detail {

/// How many letters have to be inserted, deleted, replaced or swapped with a neighbour to turn one text into the other.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace detail

}  // namespace perfspec
