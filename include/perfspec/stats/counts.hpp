// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace perfspec {

// Metrics that count: allocations, bytes, instructions. Most repeat exactly, and are then compared as integers without any statistics; the others
// go through `sequential` on the logarithm, or `stored_rank_test`, as times do.

/// So many runs show whether a count repeats.
inline constexpr std::size_t runs_of_a_count = 3;

/// The count of runs that all gave the same; nothing where two differ. Throws input_error for fewer than three runs.
[[nodiscard]] std::optional<std::uint64_t> settled_count(std::span<const std::uint64_t> runs);

}  // namespace perfspec
