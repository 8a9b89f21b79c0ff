// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <cstdint>

namespace perfspec::inline v0_2 {

/// How a mixture gets the times of layers: from a timer around each; from the self times of the operators that ran in
/// it; or by subtraction of the first n - 1 layers from the first n.
enum class layer_timing : std::uint8_t { timers, operators, subtraction };

/// How a mixture chooses between variants.
struct mixture_settings {
    std::chrono::nanoseconds switching{};  ///< the cost of a change of variant between two layers
    layer_timing from{layer_timing::timers};
    unsigned best_of{1};  ///< number of measurements, from 1 to 10; the smallest time of each layer counts
};

}  // namespace perfspec::inline v0_2
