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
const std::vector<double> slower{1.04, 1.05, 1.05, 1.06, 1.07, 1.07, 1.09, 1.12, 1.14, 1.21};

/// The same by stored_rank_test itself, on each of the 10^5 sequences.
tool::claim_chances by_enumeration(const std::vector<double>& stored, const std::vector<double>& fresh, double factor, direction claimed,
                                   double margin) {
    std::vector<double> bounds = stored;
    for (double& b : bounds) b *= factor;
    tool::claim_chances chances;
    constexpr double all = 1e5;
    for (int sequence = 0; sequence < 100000; ++sequence) {
        stored_rank_test test(bounds, claimed, margin);
        for (int rest = sequence, i = 0; i < 5; ++i, rest /= 10) test.add(fresh[static_cast<std::size_t>(rest % 10)]);
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
    const auto& fresh = GENERATE_REF(uneven, slower);
    const auto counted = by_enumeration(uneven, fresh, given.factor, given.claimed, given.margin);
    const auto found = tool::chances_of(uneven, fresh, given.factor, given.claimed, given.margin);
    CHECK_THAT(found.violated, WithinAbs(counted.violated, 1e-9));
    CHECK_THAT(found.holds, WithinAbs(counted.holds, 1e-9));
    CHECK(found.violated + found.holds > 0.0001);
}

TEST_CASE("tightest_bound is the closest factor that keeps both rates in every sitting", "[ci][unit]") {
    const std::vector<std::vector<double>> recordings{uneven, slower};
    const auto found = tool::tightest_bound(recordings, direction::less, 0.001);
    REQUIRE(found.has_value());
    CHECK(found->chances.holds >= tool::suggested_to_hold);
    CHECK(found->chances.violated <= 0.001);
    std::vector<double> all = uneven;
    all.insert(all.end(), slower.begin(), slower.end());
    const auto keeps = [&](const std::vector<double>& recording_session, double factor) {
        const auto chances = tool::chances_of(all, recording_session, factor, direction::less, 0.005);
        return chances.holds >= tool::suggested_to_hold && chances.violated <= 0.001;
    };
    CHECK((keeps(uneven, found->factor) && keeps(slower, found->factor)));
    CHECK_FALSE((keeps(uneven, found->factor - 0.01) && keeps(slower, found->factor - 0.01)));
}

TEST_CASE("tightest_bound leaves room for a run like the slowest sitting", "[ci][unit]") {
    const std::vector<std::vector<double>> alike{std::vector<double>(10, 3.0), std::vector<double>(10, 3.0)};
    const std::vector<std::vector<double>> apart{std::vector<double>(10, 3.0), std::vector<double>(10, 3.3)};
    CHECK(tool::tightest_bound(alike, direction::less, 0.001)->factor == 1.01);
    // All launches of a run are 3.3, less the margin 3.284: from 1.10 on every bound lies above that.
    CHECK(tool::tightest_bound(apart, direction::less, 0.001)->factor == 1.10);
}

TEST_CASE("tightest_bound goes down where more is better", "[ci][unit]") {
    const std::vector<std::vector<double>> steady(2, std::vector<double>(6, 3.0));
    CHECK(tool::tightest_bound(steady, direction::less, 0.001)->factor == 1.01);
    CHECK(tool::tightest_bound(steady, direction::more, 0.001)->factor == 0.99);
}

TEST_CASE("tightest_bound tells the resolution of the smallest sitting where none is violated", "[ci][unit]") {
    const std::vector<std::vector<double>> steady{std::vector<double>(8, 3.0), std::vector<double>(4, 3.0)};
    CHECK(tool::tightest_bound(steady, direction::less, 0.001)->launches_of_worst == 4);
}

TEST_CASE("tightest_bound finds none for launches that spread too much", "[ci][unit]") {
    const std::vector<std::vector<double>> wild(2, {1, 2, 4, 8, 16, 32, 64, 128, 256, 512});
    CHECK_FALSE(tool::tightest_bound(wild, direction::less, 0.001).has_value());
}

}  // namespace perfspec
