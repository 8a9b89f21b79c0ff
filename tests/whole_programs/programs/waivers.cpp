// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Claims that are false, and waivers that cover them or do not. All counts are exact.
#include <perfspec/allocations.hpp>
#include <perfspec/catch2.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace {

/// Allocates once for each number.
template <std::size_t N> auto allocates() {
    return perfspec::subject("allocates", [] {
        std::vector<std::vector<int>> all(N);
        for (auto& each : all) each.resize(8);
        return all;
    });
}

}  // namespace

TEST_CASE("a tenth too many") { PERF_CHECK(allocations(allocates<109>()) <= 100); }
TEST_CASE("twice as many") { PERF_CHECK(allocations(allocates<199>()) <= 100); }
TEST_CASE("none allowed") { PERF_CHECK(allocations(allocates<2>()) == 0); }
TEST_CASE("few enough") { PERF_CHECK(allocations(allocates<9>()) <= 100); }

TEST_CASE("waived at the call") {
    PERF_CHECK(allocations(allocates<109>()) <= 100, waived("20% until 2199-12-31: the new parser copies, #123"));
}
TEST_CASE("waived at the call until yesterday") {
    PERF_CHECK(allocations(allocates<109>()) <= 100, waived("20% until 2026-01-31: the new parser copies, #123"));
}
TEST_CASE("waived without a day") {
    PERF_CHECK(allocations(allocates<109>()) <= 100, waived("20%: the new parser copies, #123"));
}
TEST_CASE("waived by a time") {
    PERF_CHECK(allocations(allocates<109>()) <= 100, waived("20ms until 2199-12-31: the new parser copies, #123"));
}

TEST_CASE("a body that throws") {
    const auto broken = perfspec::subject("broken", []() -> int { throw std::runtime_error("no input"); });
    PERF_CHECK(allocations(broken) <= 100, waived("900% until 2199-12-31: the new parser copies, #123"));
}
