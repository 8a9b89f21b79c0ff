// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/layout.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace perfspec::detail {
namespace {

using Catch::Matchers::WithinAbs;

/// Ten values whose logarithms are so far from 0: half of them a step, half two, to either side.
std::vector<double> ten_apart(double step) {
    std::vector<double> values;
    for (const double l : {-2, -2, -2, -1, -1, 1, 1, 2, 2, 2}) values.push_back(std::exp(l * step));
    return values;
}

/// How often layouts are seen to move the value, of so many pairs of samples whose logarithms are normal with these standard deviations.
double seen_rate(std::size_t processes, double same, double drawn, int pairs) {
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    const auto sample = [&](double deviation) {
        std::vector<double> values;
        while (values.size() < processes) values.push_back(std::exp(deviation * normal(random)));
        return values;
    };
    int seen = 0;
    for (int i = 0; i < pairs; ++i) {
        const std::vector<double> of_one = sample(same);
        if (effect_of_layout(of_one, sample(drawn)).is_seen) ++seen;
    }
    return static_cast<double>(seen) / pairs;
}

}  // namespace

TEST_CASE("effect_of_layout takes the spread of one layout out of that of drawn ones", "[stats][unit]") {
    const layout_effect e = effect_of_layout(ten_apart(0.003), ten_apart(0.005));
    CHECK(e.processes == 10);
    CHECK(e.builds == 1);
    CHECK_THAT(e.same, WithinAbs(1.4826 * 0.006, 1e-12));
    CHECK_THAT(e.drawn, WithinAbs(1.4826 * 0.010, 1e-12));
    CHECK_THAT(e.moves, WithinAbs(std::expm1(2.0 * 1.4826 * 0.008), 1e-12));  // 6, 8, 10: a right triangle
}

TEST_CASE("effect_of_layout finds nothing where drawn layouts spread less", "[stats][unit]") {
    const layout_effect e = effect_of_layout(ten_apart(0.005), ten_apart(0.003));
    CHECK(e.moves == 0.0);
    CHECK_FALSE(e.is_seen);
}

TEST_CASE("effect_of_layout sees layouts by the ranks of the distances", "[stats][unit]") {
    CHECK(effect_of_layout(ten_apart(0.001), ten_apart(0.01)).is_seen);  // every distance is larger: 1 of 184,756 orders
    CHECK_FALSE(effect_of_layout(ten_apart(0.01), ten_apart(0.01)).is_seen);
    CHECK_FALSE(effect_of_layout(ten_apart(0.0), ten_apart(0.0)).is_seen);
}

TEST_CASE("effect_of_layout raises few false alarms, and sees four times the spread", "[stats][calibration]") {
    const std::size_t processes = GENERATE(std::size_t{10}, std::size_t{15}, std::size_t{20});
    CAPTURE(processes);
    CHECK(seen_rate(processes, 0.01, 0.01, 4000) < 0.06);
    CHECK(seen_rate(processes, 0.01, 0.02, 4000) > 0.30);  // the control: layouts that move it are not "not seen" at that rate
    CHECK(seen_rate(processes, 0.01, 0.04, 1000) > 0.70);
}

TEST_CASE("effect_of_layout needs ten to twenty positive values of each kind", "[stats][unit]") {
    const std::vector<double> ten = ten_apart(0.01);
    CHECK_THROWS_AS(effect_of_layout(std::vector<double>(9, 1.0), ten), input_error);
    CHECK_THROWS_AS(effect_of_layout(ten, std::vector<double>(21, 1.0)), input_error);
    CHECK_THROWS_AS(effect_of_layout(ten, std::vector<double>(10, 0.0)), input_error);
}

TEST_CASE("a change may be layout where layouts move the value by more", "[stats][unit]") {
    const layout_effect e{.moves = 0.03, .is_seen = true};
    CHECK(may_be_layout(e, 1.02, 1.0));
    CHECK(may_be_layout(e, 1.0, 1.02));
    CHECK_FALSE(may_be_layout(e, 1.031, 1.0));
    CHECK_FALSE(may_be_layout({.moves = 0.03, .is_seen = false}, 1.02, 1.0));
}

}  // namespace perfspec::detail
