// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/keep.hpp>

#include <chrono>

/// About 5 us a unit: far above the clock's resolution, and far below a time slice.
inline int work(int units) {
    for (int i = 0; i < units * 20'000; ++i) perfspec::keep(i);
    return units;
}

/// So long by the clock, on any machine.
inline int busy_for(std::chrono::nanoseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {}
    return 1;
}
