// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Compiled without optimization.
#include "work.hpp"

#include <perfspec/catch2.hpp>

TEST_CASE("honest pair") {
    const auto a = perfspec::subject("a", [] { return work(10); });
    const auto b = perfspec::subject("b", [] { return work(1); });
    PERF_CHECK(speedup(a, b) > 2);
}
