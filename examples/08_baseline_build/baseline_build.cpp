// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Compares with another build of this test program, now, on this machine. It needs no committed numbers and no machine
// of your own. In a project the baseline build is that of the merge base. Here one source is compiled twice, each time
// with another EXAMPLE_GROWTH.

#include <perfspec/catch2.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace {

/// The change between the builds: how a table grows. Adding 250 entries at a time copies it often.
std::size_t next_capacity(std::size_t capacity) {
    return EXAMPLE_GROWTH == 2 ? std::max<std::size_t>(16, 2 * capacity) : capacity + 250;
}

std::vector<int> filled(std::size_t size) {
    std::vector<int> table;
    for (std::size_t i = 0; i < size; ++i) {
        if (table.size() == table.capacity()) table.reserve(next_capacity(table.capacity()));
        table.push_back(static_cast<int>(i));
    }
    return table;
}

}  // namespace

TEST_CASE("filling a table is no slower than before", "[perf]") {
    REQUIRE(filled(1000).back() == 999);
    auto fill = perfspec::subject("fill", [] { return filled(50'000); });
    PERF_CHECK(latency(fill) < 1.05 * baseline());
    PERF_CHECK(throughput(fill.items(50'000)) > 0.95 * baseline());
}
