// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A new implementation against the old one, in the same run: the ratio needs no baseline and holds on any machine.
// With EXAMPLE_SLOWER=1 the new one is deliberately a tenth slower, and the assertion fails.

#include <perfspec/catch2.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace {

std::uint64_t mix(std::uint64_t x) {
    x ^= x >> 33U;
    x *= 0xff51afd7ed558ccdULL;
    return x ^ (x >> 33U);
}

std::uint64_t checksum_old(const std::vector<std::uint64_t>& v) {
    std::uint64_t sum = 0;
    for (const std::uint64_t x : v) sum = mix(sum ^ x);
    return sum;
}

// The same work in chunks, as a first step to unroll it later.
std::uint64_t checksum_new(const std::vector<std::uint64_t>& v, std::size_t extra) {
    std::uint64_t sum = 0;
    for (const std::uint64_t x : v) sum = mix(sum ^ x);
    std::uint64_t wasted = sum;
    for (std::size_t i = 0; i < extra; ++i) wasted = mix(wasted ^ v[i]);
    perfspec::do_not_optimize(wasted);
    return sum;
}

}  // namespace

TEST_CASE("the new checksum is no slower than the old one", "[perf]") {
    std::vector<std::uint64_t> data(4096);
    std::iota(data.begin(), data.end(), 1U);
    const std::size_t extra = std::getenv("EXAMPLE_SLOWER") != nullptr ? data.size() / 10 : 0;
    REQUIRE(checksum_new(data, extra) == checksum_old(data));

    auto before = perfspec::subject("old", [&] { return checksum_old(data); });
    auto after = perfspec::subject(extra == 0 ? "new" : "slower", [&] { return checksum_new(data, extra); });
    PERF_REQUIRE(speedup(before, after) > 0.95);
}
