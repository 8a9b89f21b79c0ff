// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "exact_limits.hpp"

#include <support/test.hpp>

using namespace perfspec::testing;
using perfspec::testing::greatest_rate;

TEST_CASE("greatest_rate is the rate that would show so few once in twenty times", "[calibration][unit]") {
    // without successes (1 - p)^n = 0.05
    CHECK_THAT(greatest_rate(0, 300), WithinAbs(0.009936, 1e-6));
    CHECK_THAT(greatest_rate(0, 11014), WithinAbs(0.00027196, 1e-8));
    CHECK_THAT(greatest_rate(1, 2), WithinAbs(0.974679, 1e-6));  // 1 - p^2 = 0.05
    CHECK(greatest_rate(7, 7) == 1.0);
}
