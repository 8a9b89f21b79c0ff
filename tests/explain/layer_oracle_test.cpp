// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/explain/layer_oracle.hpp>
#include <perfspec/quantity/error.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <limits>
#include <random>
#include <string>
#include <vector>

namespace perfspec {
namespace {

using Catch::Matchers::ContainsSubstring;

/// "abba": a for the first variant.
std::string text_of(const layer_choice& choice) {
    std::string text;
    for (const layer_side side : choice.sides) text += side == layer_side::first ? 'a' : 'b';
    return text;
}

/// Every mixture tried.
double smallest_total(const std::vector<double>& first, const std::vector<double>& second, double switching) {
    double best = std::numeric_limits<double>::infinity();
    for (unsigned mixture = 0; mixture < 1U << first.size(); ++mixture) {
        double total = 0.0;
        for (std::size_t i = 0; i < first.size(); ++i) {
            const unsigned side = mixture >> i & 1U;
            total += side == 0U ? first[i] : second[i];
            if (i > 0 && side != (mixture >> (i - 1) & 1U)) total += switching;
        }
        best = std::min(best, total);
    }
    return best;
}

}  // namespace

TEST_CASE("choose_layers takes the faster of two variants, layer by layer, and weighs switches", "[stats][unit]") {
    struct row {
        std::vector<double> first, second;
        double switching;
        const char* choice;
        double total;
        std::size_t switches;
    };
    const auto r = GENERATE(values<row>({
        {{3, 1, 3}, {1, 2, 1}, 0, "bab", 3, 2},
        {{3, 1, 3}, {1, 2, 1}, 0.25, "bab", 3.5, 2},
        {{3, 1, 3}, {1, 2, 1}, 2, "bbb", 4, 0},
        {{3, 1, 3}, {1, 2, 1}, 0.5, "bbb", 4, 0},  // equal sums: no switch
        {{1, 1, 1}, {1, 1, 1}, 0, "aaa", 3, 0},    // equal times: the first
        {{1, 1, 9, 9}, {9, 9, 1, 1}, 3, "aabb", 7, 1},
        {{5}, {4}, 100, "b", 4, 0},  // entering costs nothing
        {{10, 1, 1}, {1, 2, 2}, 1.5, "baa", 4.5, 1},
    }));
    const layer_choice choice = choose_layers(r.first, r.second, r.switching);
    CHECK(text_of(choice) == r.choice);
    CHECK(choice.total == r.total);
    CHECK(choice.switches == r.switches);
}

TEST_CASE("choose_layers finds what trying every mixture finds", "[stats][unit]") {
    std::mt19937 random(GENERATE(range(1, 21)));
    const auto drawn = [&] { return static_cast<double>(random() % 16); };  // whole numbers: sums are exact
    std::vector<double> first, second;
    for (int i = 0; i < 9; ++i) {
        first.push_back(drawn());
        second.push_back(drawn());
    }
    const double switching = drawn() / 4.0;
    const layer_choice choice = choose_layers(first, second, switching);
    CHECK(choice.total == smallest_total(first, second, switching));
    double total = switching * static_cast<double>(choice.switches);
    for (std::size_t i = 0; i < first.size(); ++i) total += choice.sides[i] == layer_side::first ? first[i] : second[i];
    CHECK(choice.total == total);
}

TEST_CASE("choose_layers rejects variants that do not match and costs that are none", "[stats][unit]") {
    const std::vector<double> two{1, 2}, three{1, 2, 3}, none;
    CHECK_THROWS_WITH(choose_layers(two, three), ContainsSubstring("found 2 layers of the first variant and 3 of the second"));
    CHECK_THROWS_AS(choose_layers(none, none), input_error);
    CHECK_THROWS_WITH(choose_layers(two, two, -1.0), ContainsSubstring("a switching cost of -1"));
    CHECK_THROWS_AS(choose_layers(two, std::vector<double>{1, std::numeric_limits<double>::infinity()}), input_error);
}

}  // namespace perfspec
