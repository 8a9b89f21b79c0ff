// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <tool/baselines/baselines.hpp>

#include <catch2/catch_test_macros.hpp>

#include <optional>
#include <vector>

namespace perfspec {
namespace {

const std::vector<double> uneven{1.00, 1.01, 1.02, 1.02, 1.03, 1.05, 1.08, 1.10, 1.11, 1.20};
const std::vector<double> slower{1.04, 1.05, 1.05, 1.06, 1.07, 1.07, 1.09, 1.12, 1.14, 1.21};

const std::vector<double> all_of_both = [] {
    std::vector<double> all = uneven;
    all.insert(all.end(), slower.begin(), slower.end());
    return all;
}();

std::optional<tool::tight_bound> tightest(const std::vector<std::vector<double>>& sessions, direction claimed,
                                          double allowance = 0.0) {
    std::vector<double> all;
    for (const auto& session : sessions) all.insert(all.end(), session.begin(), session.end());
    return tool::tightest_bound({all, allowance, claimed}, sessions, 0.001);
}

}  // namespace

TEST_CASE("chances_of are those of the rank test", "[ci][unit]") {
    const std::vector<double> steady(10, 100.0);
    const tool::stored_side stored{steady, 0.0, direction::less};
    CHECK(tool::chances_of(stored, std::vector{100.0}, 1.02).holds == 1.0);
    CHECK(tool::chances_of(stored, std::vector{110.0}, 1.02).violated == 1.0);
    const auto mixed = tool::chances_of(stored, std::vector{90.0, 110.0}, 1.00);
    CHECK(mixed.holds > 0.2);
    CHECK(mixed.violated < 0.1);
    CHECK(tool::chances_of({steady, 0.2, direction::less}, std::vector{110.0}, 1.02).violated == 0.0);
}

TEST_CASE("tightest_bound is the closest factor that keeps both rates in every session", "[ci][unit]") {
    const std::vector<std::vector<double>> recordings{uneven, slower};
    const tool::stored_side stored{all_of_both, 0.0, direction::less};
    const auto found = tool::tightest_bound(stored, recordings, 0.001);
    REQUIRE(found.has_value());
    CHECK(found->chances.holds >= tool::suggested_to_hold);
    CHECK(found->chances.violated <= 0.001);
    const auto keeps = [&](const std::vector<double>& session, double factor) {
        const auto chances = tool::chances_of(stored, session, factor);
        return chances.holds >= tool::suggested_to_hold && chances.violated <= 0.001;
    };
    CHECK((keeps(uneven, found->factor) && keeps(slower, found->factor)));
    CHECK_FALSE((keeps(uneven, found->factor - 0.01) && keeps(slower, found->factor - 0.01)));
}

TEST_CASE("tightest_bound leaves room for a run like the slowest session", "[ci][unit]") {
    const std::vector<std::vector<double>> alike{std::vector<double>(10, 3.0), std::vector<double>(10, 3.0)};
    const std::vector<std::vector<double>> apart{std::vector<double>(10, 3.0), std::vector<double>(10, 3.3)};
    CHECK(tightest(alike, direction::less)->factor == 1.01);
    // All launches of a run are 3.3, less the margin 3.284: from 1.10 on every bound lies above that.
    CHECK(tightest(apart, direction::less)->factor == 1.10);
}

TEST_CASE("tightest_bound goes down where more is better", "[ci][unit]") {
    const std::vector<std::vector<double>> steady(2, std::vector<double>(6, 3.0));
    CHECK(tightest(steady, direction::less)->factor == 1.01);
    CHECK(tightest(steady, direction::more)->factor == 0.99);
}

TEST_CASE("tightest_bound finds none for launches that spread too much", "[ci][unit]") {
    const std::vector<std::vector<double>> wild(2, {1, 2, 4, 8, 16, 32, 64, 128, 256, 512});
    CHECK_FALSE(tightest(wild, direction::less).has_value());
}

}  // namespace perfspec
