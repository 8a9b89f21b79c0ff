// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Which commit made it slower? The claim compares with another build of this program, so `git bisect run` can ask it at
// every commit (see the script `bisect` beside this file).

#include "checksum.hpp"

#include <perfspec/catch2.hpp>

#include <numeric>
#include <vector>

TEST_CASE("the checksum is no slower than before", "[perf]") {
    std::vector<std::uint64_t> data(4096);
    std::iota(data.begin(), data.end(), 1U);
    auto checksum_of_data = perfspec::subject("checksum", [&] { return checksum(data); });
    PERF_CHECK(latency(checksum_of_data) < 1.1 * baseline());
}
