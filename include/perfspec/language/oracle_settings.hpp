// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <cstdint>

namespace perfspec {

/// How an oracle gets the times of layers: from a timer around each, or from the self times of the operators that ran in it.
enum class layer_timing : std::uint8_t { timers, operators };

/// How an oracle chooses between two variants.
struct oracle_settings {
    std::chrono::nanoseconds switching{};  ///< the cost of going from one variant to the other between two layers
    layer_timing from{layer_timing::timers};
    unsigned best_of{1};  ///< number of measurements, one after the other, from 1 to 10; each layer's smallest time counts
};

}  // namespace perfspec
