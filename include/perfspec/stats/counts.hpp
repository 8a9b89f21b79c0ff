// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace perfspec {

// Metrics that count: allocations, bytes, instructions. Most repeat exactly, and are then compared as integers without any statistics; the others
// go through `sequential` or `stored_rank_test` on the logarithm, as times do.

/// So many runs show whether a count repeats.
inline constexpr std::size_t runs_of_a_count = 3;

/// The count of runs that all gave the same; nothing where two differ. Throws input_error for fewer than three runs.
[[nodiscard]] std::optional<std::uint64_t> settled_count(std::span<const std::uint64_t> runs);

/// How a settled count is compared with its bound.
enum class count_comparison : std::uint8_t { less, less_equal, equal, greater_equal, greater };

/// Whether a settled count is on the claimed side of a bound, which need not be whole: 5 < 0.5 * 11. Exact for counts up to 2^53.
/// Throws input_error for a bound that is not finite.
[[nodiscard]] bool count_satisfies(std::uint64_t count, count_comparison claimed, double bound);

/// The logarithm of a count that varies. 0 counts as one half: it lies below every other count, and how far is no matter to ranks and signs.
[[nodiscard]] double log_count(std::uint64_t count);

}  // namespace perfspec
