// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Claims that are false by factors, with limits too small for the evidence: such a claim cannot fail.
#include "work.hpp"

#include <perfspec/catch2.hpp>

#include <chrono>
#include <thread>

namespace {

const auto fast = perfspec::subject("fast", [] { return work(1); });
const auto slow = perfspec::subject("slow", [] { return work(10); });

}  // namespace

TEST_CASE("first call under a cap") {
    PERF_CHECK(first_call([] { std::this_thread::sleep_for(std::chrono::milliseconds(90)); }) < 1ms, cap(1s));
}

TEST_CASE("ten rounds") { PERF_CHECK(speedup(fast, slow) > 0.95, rounds(10), confirm::off); }

TEST_CASE("true in seven processes") { PERF_CHECK(speedup(slow, fast) > 2, processes(7)); }
TEST_CASE("true in twenty rounds") { PERF_CHECK(speedup(slow, fast) > 2, rounds(20)); }
TEST_CASE("true of first calls") { PERF_CHECK(first_call(slow) < 1s); }
