// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/report/console/picture.hpp>

#include <catch2/catch_test_macros.hpp>

#include <limits>
#include <string>
#include <vector>

namespace perfspec {
namespace {

using lines = std::vector<std::string>;

constexpr picture_layout narrow{.indent = 2, .columns = 11};

}  // namespace

TEST_CASE("draw_distributions puts all lines on one axis", "[report][unit]") {
    const std::vector<double> stored{1.40, 1.41, 1.42, 1.42, 1.42, 1.43};
    const std::vector<double> now{1.38, 1.39, 1.39};
    const lines picture =
        draw_distributions(std::vector<distribution>{{"stored", stored}, {"now", now}}, dimension::ratio, narrow);
    REQUIRE(picture.size() == 2);
    CHECK(picture[0] == "  stored      . . | .  1.400 .. 1.430");
    CHECK(picture[1] == "  now     . :          1.380 .. 1.390");
}

TEST_CASE("draw_distributions draws thirds of a line's highest column", "[report][unit]") {
    std::vector<double> values(9, 10.0);              // 9 of at most 9: the top third
    values.insert(values.end(), 6, 11.0);             // 6 of 9: the middle third
    values.insert(values.end(), {12.0, 12.0, 12.0});  // 3 of 9: the lowest third
    const lines picture =
        draw_distributions(std::vector<distribution>{{"x", values}}, dimension::ratio, {.indent = 0, .columns = 3});
    CHECK(picture == lines{"x  |:.  10.00 .. 12.00"});
}

TEST_CASE("draw_distributions keeps one hiccup from flattening the picture", "[report][unit]") {
    std::vector<double> values;
    for (int i = 0; i <= 10; ++i) values.push_back(100.0 + i);
    values.push_back(100000.0);
    const lines picture =
        draw_distributions(std::vector<distribution>{{"x", values}}, dimension::ratio, {.indent = 0, .columns = 24});
    CHECK(picture == lines{"x  ...........            >  100 .. 100000"});
}

TEST_CASE("draw_distributions marks a value beyond the axis on the left too", "[report][unit]") {
    std::vector<double> values{1.0};
    for (int i = 0; i <= 10; ++i) values.push_back(100.0 + i);
    const lines picture =
        draw_distributions(std::vector<distribution>{{"x", values}}, dimension::ratio, {.indent = 0, .columns = 24});
    REQUIRE(picture.size() == 1);
    CHECK(picture[0].starts_with("x  <            ..........."));
}

TEST_CASE("draw_distributions draws a single value as a bar, and equal ones in the middle", "[report][unit]") {
    const std::vector<double> bound{3e6};
    const std::vector<double> same(4, 3e6);
    CHECK(draw_distributions(std::vector<distribution>{{"bound", bound}}, dimension::time,
                             {.indent = 0, .columns = 5}) == lines{"bound    |    3.000 ms"});
    CHECK(draw_distributions(std::vector<distribution>{{"x", same}}, dimension::time, {.indent = 0, .columns = 5}) ==
          lines{"x    |    3.000 ms"});
}

TEST_CASE("draw_distributions leaves out what cannot be drawn", "[report][unit]") {
    const double infinity = std::numeric_limits<double>::infinity();
    const std::vector<double> none;
    const std::vector<double> broken{infinity, -infinity, std::numeric_limits<double>::quiet_NaN()};
    const std::vector<double> mixed{1.0, infinity, 2.0};
    CHECK(draw_distributions(std::vector<distribution>{{"none", none}, {"broken", broken}}, dimension::ratio).empty());
    CHECK(draw_distributions(std::vector<distribution>{{"mixed", mixed}}, dimension::ratio,
                             {.indent = 0, .columns = 2}) == lines{"mixed  ..  1.000 .. 2.000"});
    CHECK(draw_distributions({}, dimension::ratio).empty());
}

TEST_CASE("draw_distributions shortens long names and aligns short ones", "[report][unit]") {
    const std::vector<double> one{1.0};
    const lines picture =
        draw_distributions(std::vector<distribution>{{"a name of more than twenty-four columns", one}, {"x", one}},
                           dimension::ratio, {.indent = 0, .columns = 3});
    CHECK(picture == lines{"a name of more than tw..   |   1.000", "x                          |   1.000"});
}

TEST_CASE("draw_distributions takes columns from the bars where names and numbers are long", "[report][unit]") {
    const std::vector<double> one{1.0};
    const std::vector<distribution> drawn{{"a name of twenty columns", one}};
    CHECK(draw_distributions(drawn, dimension::ratio, {.indent = 0, .columns = 40, .width = 50}) ==
          lines{"a name of twenty columns          |          1.000"});
    CHECK(draw_distributions(drawn, dimension::ratio, {.indent = 0, .columns = 40, .width = 10}) ==
          lines{"a name of twenty columns          |         1.000"});
}

TEST_CASE("draw_distributions has an axis of two columns at least", "[report][unit]") {
    const std::vector<double> two{1.0, 2.0};
    for (const std::size_t columns : {std::size_t{0}, std::size_t{1}})
        CHECK(draw_distributions(std::vector<distribution>{{"x", two}}, dimension::ratio,
                                 {.indent = 0, .columns = columns}) == lines{"x  ..  1.000 .. 2.000"});
}

}  // namespace perfspec
