// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace perfspec::inline v0_2 {

class random_order;

/// The numbers of the cores that the threads of this process may use together. Empty if the system does not report
/// them.
[[nodiscard]] std::vector<std::uint32_t> usable_cores();

/// Moves the calling thread to a core, but does not bind it there. The system may move it later, but rarely does while
/// it runs. Threads that it starts run anywhere. Does nothing if this process may not use the core.
void move_to_core(std::uint32_t core) noexcept;

/// Draws one of the cores; the probabilities are equal up to 1 in 65,536. nullopt, without a draw, for fewer than two
/// cores.
[[nodiscard]] std::optional<std::uint32_t> draw_core(std::span<const std::uint32_t> cores, random_order& order);

}  // namespace perfspec::inline v0_2
