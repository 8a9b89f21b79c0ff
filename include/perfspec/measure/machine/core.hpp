// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/block_source.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace perfspec {

/// Numbers of the processor's cores that this process may run on. Empty where the system does not say.
[[nodiscard]] std::vector<std::uint32_t> usable_cores();

/// Moves the calling thread to a core, but does not bind it there. The system may move it on, but rarely does while the
/// thread runs. Threads that it starts run anywhere. If this process may not use the core, the thread stays where it
/// is.
void move_to_core(std::uint32_t core) noexcept;

/// Draws one of the cores; the probabilities are equal up to 1 in 65,536. Where there is no choice it returns nothing
/// and does not next.
[[nodiscard]] std::optional<std::uint32_t> draw_core(std::span<const std::uint32_t> cores, random_order& order);

}  // namespace perfspec
