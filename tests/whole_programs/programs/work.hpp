// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../support/work.hpp"

#include <chrono>

using perfspec::testing::work;

/// So long by the clock, on any machine.
inline int busy_for(std::chrono::nanoseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {}
    return 1;
}
