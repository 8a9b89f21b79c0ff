// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Claims that are false, and waivers that cover them or do not. All counts are exact.
#include <perfspec/allocations.hpp>
#include <perfspec/catch2.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
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
TEST_CASE("few enough") { PERF_CHECK(allocations(allocates<9>()) <= 100); }
