// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace perfspec {

// Metrics that count: allocations, bytes, instructions. Most repeat exactly, and are then compared as integers without
// any statistics. The others are judged like times: by `sequential` on their logarithms, or by `stored_rank_test`.

/// This many runs show whether a count repeats.
inline constexpr std::size_t runs_of_a_count = 3;

/// The count that all runs gave; nothing where two runs differ. Throws input_error for fewer than three runs.
[[nodiscard]] std::optional<std::uint64_t> settled_count(std::span<const std::uint64_t> runs);

}  // namespace perfspec
