// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "sum.hpp"

#include <perfspec/catch2.hpp>

#include <vector>

TEST_CASE("a claim over link orders", "[perf]") {
    const std::vector<double> few(10'000, 1.0);
    const std::vector<double> many(40'000, 1.0);
    const perfspec::subject long_sum("long sum", [&] { return sum(many); });
    const perfspec::subject short_sum("short sum", [&] { return sum(few); });
    PERF_CHECK(speedup(long_sum, short_sum) > 1.5);
}
