// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// Stored claims on a body that stays in the cache, a time and a ratio; SLOWER_PERCENT=40 makes it slower. stored_claims.py runs it.
#include <perfspec/catch2.hpp>

#include <cstdint>
#include <cstdlib>

namespace {

/// Multiplications that depend on each other: about a millisecond.
std::uint64_t chain(int steps) {
    auto x = perfspec::opaque(std::uint64_t{0x9E3779B97F4A7C15});
    for (int i = 0; i < steps; ++i) x = x * 6364136223846793005U + 1442695040888963407U;
    return x;
}

constexpr int steps = 400'000;

int steps_asked_for() {
    const char* percent = std::getenv("SLOWER_PERCENT");
    return steps + steps / 100 * (percent == nullptr ? 0 : std::atoi(percent));
}

}  // namespace

TEST_CASE("a time against stored launches") {
    auto body = perfspec::subject("chain", [n = steps_asked_for()] { return chain(n); });
    PERF_CHECK(latency(body) < 1.05 * baseline());
}

TEST_CASE("a ratio against stored launches") {
    auto reference = perfspec::subject("reference", [] { return chain(steps); });
    auto body = perfspec::subject("chain", [n = steps_asked_for()] { return chain(n); });
    PERF_CHECK(speedup(reference, body) > 0.95 * baseline());
}
