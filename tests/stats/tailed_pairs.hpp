// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/sequential/percentile_sequential.hpp>

#include <cstddef>
#include <vector>

namespace perfspec::testing {

/// Pairs of times from 100 to 200 in a fixed disorder; every ninth fresh one is `tail` times as long.
[[nodiscard]] inline std::vector<time_pair> tailed_pairs(std::size_t n, double tail) {
    std::vector<time_pair> pairs;
    for (std::size_t i = 0; i < n; ++i) {
        const auto old_time = static_cast<double>(100 + (i * 37) % 101);
        const auto fresh_time = static_cast<double>(100 + (i * 53 + 11) % 101);
        pairs.push_back({old_time, i % 9 == 0 ? tail * fresh_time : fresh_time});
    }
    return pairs;
}

}  // namespace perfspec::testing
