// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/explain/layer_subtraction.hpp>
#include <perfspec/quantity/error.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <vector>

namespace perfspec {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;

/// So much in each of 20 rounds, in which the machine is slower by 0, 1, 2, … and the sample by -0.5, 0.5, -0.5, …
std::vector<double> rounds_of(double time, double own_noise = 0.0) {
    std::vector<double> all;
    for (int i = 0; i < 20; ++i) all.push_back(time + i + (i % 2 == 0 ? -own_noise : own_noise));
    return all;
}

}  // namespace

TEST_CASE("layer_subtraction takes what one layer adds, without the noise that both prefixes share", "[stats][unit]") {
    const std::vector<std::vector<double>> prefixes{rounds_of(100), rounds_of(107), rounds_of(137)};
    const auto layers = layer_subtraction(prefixes);
    REQUIRE(layers.size() == 3);
    CHECK(layers[0].time.centre == 109.5);  // the first prefix itself, the drift of its rounds included
    CHECK(layers[0].time.low < 109.5);
    CHECK(layers[1].time.centre == 7.0);
    CHECK_THAT(layers[1].time.low, WithinAbs(7.0, 1e-9));
    CHECK_THAT(layers[1].time.high, WithinAbs(7.0, 1e-9));
    CHECK(layers[2].time.centre == 30.0);
    for (const subtracted_layer& layer : layers) CHECK(layer.resolved);
}

TEST_CASE("layer_subtraction does not resolve a layer that is less than the noise of its prefixes", "[stats][unit]") {
    const std::vector<std::vector<double>> prefixes{rounds_of(100, 3.0), rounds_of(101, -3.0), rounds_of(131, 3.0)};
    const auto layers = layer_subtraction(prefixes);
    CHECK(layers[1].time.low < 0.0);
    CHECK(layers[1].time.high > 1.0);
    CHECK_FALSE(layers[1].resolved);
    CHECK(layers[2].resolved);
}

TEST_CASE("layer_subtraction does not resolve a layer that is faster than nothing", "[stats][unit]") {
    const auto layers = layer_subtraction(std::vector<std::vector<double>>{rounds_of(100), rounds_of(90)});
    CHECK(layers[1].time.centre == -10.0);
    CHECK_FALSE(layers[1].resolved);
}

TEST_CASE("layer_subtraction resolves nothing by a few rounds", "[stats][unit]") {
    const auto layers = layer_subtraction(std::vector<std::vector<double>>{{10, 11, 12}, {20, 21, 22}});
    CHECK(layers[1].time.centre == 10.0);
    CHECK(std::isinf(layers[1].time.low));
    CHECK_FALSE(layers[1].resolved);
}

TEST_CASE("layer_subtraction rejects prefixes without rounds or of other rounds", "[stats][unit]") {
    CHECK_THROWS_WITH(layer_subtraction({}), ContainsSubstring("found no prefixes"));
    CHECK_THROWS_WITH(layer_subtraction(std::vector<std::vector<double>>{{1, 2}, {1, 2, 3}}),
                      ContainsSubstring("of 2 and of 3 rounds"));
    CHECK_THROWS_AS(layer_subtraction(std::vector<std::vector<double>>{{}}), input_error);
}

}  // namespace perfspec
