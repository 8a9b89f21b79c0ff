// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace perfspec {

class random_order;

/// Starts threads in this process that compute and walk through a MiB of memory each, until the result is destroyed. A
/// neighbour does the same to a shared processor, its caches and its memory.
///
/// threads  how many; 0 is no load. Throws std::system_error where the system gives no more threads.
[[nodiscard]] std::shared_ptr<void> keep_processors_busy(std::size_t threads);

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
