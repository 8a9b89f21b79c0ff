// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <tool/tightest.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <array>
#include <cmath>
#include <vector>

namespace perfspec {
namespace {

using Catch::Matchers::WithinAbs;

const std::vector<double> uneven{1.00, 1.01, 1.02, 1.02, 1.03, 1.05, 1.08, 1.10, 1.11, 1.20};

/// The same by stored_rank_test itself, on each of the 10^5 sequences.
tool::claim_chances by_enumeration(const std::vector<double>& stored, double factor, direction claimed, double margin) {
    std::vector<double> bounds = stored;
    for (double& b : bounds) b *= factor;
    tool::claim_chances chances;
    constexpr double all = 1e5;
    for (int sequence = 0; sequence < 100000; ++sequence) {
        stored_rank_test test(bounds, claimed, margin);
        for (int rest = sequence, i = 0; i < 5; ++i, rest /= 10) test.add(stored[static_cast<std::size_t>(rest % 10)]);
        if (test.decided() == decision::violated) chances.violated += 1 / all;
        if (test.decided() == decision::holds) chances.holds += 1 / all;
    }
    return chances;
}

}  // namespace

TEST_CASE("chances_of counts every sequence as the rank test decides it", "[ci][unit]") {
    struct row {
        double factor;
        direction claimed;
        double margin;
    };
    const auto given = GENERATE(values<row>({{1.0, direction::less, 0.005},
                                             {1.0, direction::less, 0.0},  // ties, which count a half
                                             {1.0, direction::more, 0.0},
                                             {1.05, direction::less, 0.005},
                                             {0.95, direction::less, 0.005},
                                             {0.95, direction::more, 0.005}}));
    const auto counted = by_enumeration(uneven, given.factor, given.claimed, given.margin);
    const auto found = tool::chances_of(uneven, given.factor, given.claimed, given.margin);
    CHECK_THAT(found.violated, WithinAbs(counted.violated, 1e-9));
    CHECK_THAT(found.holds, WithinAbs(counted.holds, 1e-9));
    CHECK(found.violated + found.holds > 0.001);
}

TEST_CASE("tightest_bound is the closest factor that keeps both rates", "[ci][unit]") {
    const auto found = tool::tightest_bound(uneven, direction::less, 0.001);
    REQUIRE(found.has_value());
    CHECK(found->chances.holds >= tool::suggested_to_hold);
    CHECK(found->chances.violated <= 0.001);
    const auto tighter = tool::chances_of(uneven, found->factor - 0.01, direction::less, 0.005);
    const bool tighter_fails = tighter.holds < tool::suggested_to_hold || tighter.violated > 0.001;
    CHECK(tighter_fails);
}

TEST_CASE("tightest_bound goes down where more is better", "[ci][unit]") {
    const std::vector<double> steady(12, 3.0);
    CHECK(tool::tightest_bound(steady, direction::less, 0.001)->factor == 1.01);
    CHECK(tool::tightest_bound(steady, direction::more, 0.001)->factor == 0.99);
}

TEST_CASE("tightest_bound finds none for launches that spread too much", "[ci][unit]") {
    const std::vector<double> wild{1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
    CHECK_FALSE(tool::tightest_bound(wild, direction::less, 0.001).has_value());
}

}  // namespace perfspec
