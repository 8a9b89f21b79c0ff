// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// False claims with various options and environment variables.
#include "work.hpp"

#include <perfspec/catch2.hpp>

#include <cstdlib>

namespace {

const auto fast = perfspec::subject("fast", [] { return work(1); });
const auto slow = perfspec::subject("slow", [] { return work(10); });

}  // namespace

TEST_CASE("violated") { PERF_CHECK(speedup(fast, slow) > 0.95); }

TEST_CASE("slower than stored") {
    const auto now = perfspec::subject("now", [] { return work(std::getenv("WHOLE_SLOWER") == nullptr ? 1 : 2); });
    PERF_CHECK(latency(now) < 1.2 * baseline());
}

TEST_CASE("stored beside another") {
    PERF_CHECK(latency(slow) < 5 * baseline());
    PERF_CHECK(latency(slow) < 1s);
}
