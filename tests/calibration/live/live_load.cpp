// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include "live_load.hpp"

#include <perfspec/language/subjects/body_result.hpp>

#include <cstdint>

namespace perfspec::testing {

running_load::running_load(const live_load& load) {
    for (int i = 0; i < load.threads; ++i) {
        threads_.emplace_back([load](const std::stop_token& stop) {
            while (!stop.stop_requested()) {
                const auto until = std::chrono::steady_clock::now() + load.on;
                std::uint64_t x = 1;
                while (std::chrono::steady_clock::now() < until) keep(x *= 6364136223846793005ULL);
                std::this_thread::sleep_for(load.off);
            }
        });
    }
}

}  // namespace perfspec::testing
