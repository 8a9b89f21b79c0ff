// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// How much of a difference is memory layout? Two copies of one function may differ by percents, because code, stack and heap are elsewhere:
//
//     cmake --build build --target example_14_memory_layout_layouts    # the same objects, linked in other orders
//     example_14_memory_layout --perf-layout 20
//
// The claim is then judged over 20 processes with different layouts in memory. The row "layout" of the report shows how much layouts move
// the ratio, by comparison with 20 processes that have the same layout.

#include "copies.hpp"

#include <perfspec/catch2.hpp>

#include <numeric>

TEST_CASE("one copy is as fast as the other", "[perf]") {
    std::vector<std::uint64_t> data(4096);
    std::iota(data.begin(), data.end(), 1U);
    REQUIRE(first_copy(data) == second_copy(data));

    auto first = perfspec::subject("first copy", [&] { return first_copy(data); });
    auto second = perfspec::subject("second copy", [&] { return second_copy(data); });
    PERF_CHECK(speedup(first, second) > 0.8);
}
