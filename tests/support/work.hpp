// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/keep.hpp>

#include <cstdint>

namespace perfspec::testing {

/// About 5 us a unit: far above the clock's resolution, and far below a time slice.
inline int work(int units) {
    // Each step waits for the one before, so that where the loop lies in memory does not change its speed, as it does that of an empty one.
    std::uint32_t state = 1;
    for (int i = 0; i < units * 5'000; ++i) state = state * 1'664'525U + 1'013'904'223U;
    keep(state);
    return units;
}

}  // namespace perfspec::testing
