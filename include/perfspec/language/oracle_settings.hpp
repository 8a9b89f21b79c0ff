// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <cstdint>

namespace perfspec {

/// What an oracle takes the times of layers from: a timer around each, or the self times of the operators that ran in it.
enum class layer_timing : std::uint8_t { timers, operators };

/// How an oracle chooses.
struct oracle_settings {
    std::chrono::nanoseconds switching{};  ///< what going from one variant to the other costs between two layers
    layer_timing from{layer_timing::timers};
    unsigned best_of{1};  ///< measurements one after the other, of which each layer's smallest time counts; 1 to 10
};

}  // namespace perfspec
