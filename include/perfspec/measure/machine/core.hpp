// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/coin.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace perfspec {

/// Numbers of the processor's cores that this process may run on. Empty where the system does not say (macOS).
[[nodiscard]] std::vector<std::uint32_t> usable_cores();

/// Moves the calling thread to a core. It is not bound to it: the system may move it on, which it rarely does with a thread that runs, and threads
/// that it starts run anywhere. A core that this process may not use leaves it where it is.
void move_to_core(std::uint32_t core) noexcept;

/// One of the cores, each as likely as another up to 1 in 65,536. Nothing, and no toss, where there is no choice.
[[nodiscard]] std::optional<std::uint32_t> draw_core(std::span<const std::uint32_t> cores, coin& order);

}  // namespace perfspec
