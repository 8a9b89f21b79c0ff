// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace perfspec {

/// What a GPU did while a claim was measured on it. What was not told is 0, or empty.
struct gpu_activity {
    std::string device{};  ///< "cuda:0"
    double sm_mhz{};       ///< clock of the multiprocessors at the end
    double max_sm_mhz{};
    double celsius{};  ///< at the end
    double watts{};    ///< at the end
    double watts_limit{};
    double heat_seconds{};                 ///< how long heat held it back
    double power_seconds{};                ///< how long its power limit held it back
    std::vector<std::string> slowed_by{};  ///< "heat", "hardware", "power brake", "power limit", "sync boost"
    std::size_t others{};                  ///< other processes that computed on it
    double slowdown{1.0};  ///< by which factor all but the power limit may have slowed it at most; 1: it did not

    friend bool operator==(const gpu_activity&, const gpu_activity&) = default;
};

namespace detail {

/// Adds what another part of the measurement saw of the same GPU.
void add_activity(gpu_activity& all, const gpu_activity& part);

/// The largest factor by which one of the GPUs may have slowed work down; 1 for none.
[[nodiscard]] double slowdown_of(const std::vector<gpu_activity>& gpus);

/// "cuda:0 slowed down by heat, 1100 of 1980 MHz, 89 degrees"; empty where nothing slowed it and nobody else used it.
[[nodiscard]] std::string activity_text(const gpu_activity& seen);

}  // namespace detail
}  // namespace perfspec
