// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/keep.hpp>

namespace perfspec::testing {

/// About 5 us a unit: far above the clock's resolution, and far below a time slice.
inline int work(int units) {
    for (int i = 0; i < units * 20'000; ++i) perfspec::keep(i);
    return units;
}

/// Ten times apart, so that no machine is busy enough to mistake one for the other.
inline int fast() { return work(1); }
inline int slow() { return work(10); }

}  // namespace perfspec::testing
