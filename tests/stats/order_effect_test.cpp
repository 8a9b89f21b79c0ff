// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/stats/order_effect.hpp>

#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace perfspec {
namespace {

/// count values from first on, each by 1 larger.
std::vector<double> rising(double first, std::size_t count) {
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = first + static_cast<double>(i);
    return values;
}

}  // namespace

TEST_CASE("an order effect needs ranks that chance gives once in 10,000 times", "[stats][unit]") {
    // All of 7 below all of 22: (28 - 105) / sqrt(7 * 22 * 30 / 12) = -3.924 standard deviations. Of 7 and 20: -3.873.
    CHECK(find_order_effect(rising(100, 7), rising(200, 22)) == order_effect{103, 210.5});
    CHECK(find_order_effect(rising(200, 22), rising(100, 7)) == order_effect{210.5, 103});
    CHECK_FALSE(find_order_effect(rising(100, 7), rising(200, 20)).has_value());
}

TEST_CASE("an order effect of less than a tenth is not told", "[stats][unit]") {
    CHECK_FALSE(find_order_effect(rising(1000, 30), rising(1069, 60)).has_value());
    CHECK(find_order_effect(rising(1000, 30), rising(1090, 60)).has_value());
}

TEST_CASE("equal values, and too few, have no order effect", "[stats][unit]") {
    CHECK_FALSE(find_order_effect(std::vector<double>(50, 3.0), std::vector<double>(150, 3.0)).has_value());
    CHECK_FALSE(find_order_effect({}, rising(1, 100)).has_value());
    CHECK_FALSE(find_order_effect(rising(1, 100), {}).has_value());
    CHECK_FALSE(find_order_effect(std::vector<double>(50, 0.0), rising(1, 150)).has_value());
}

TEST_CASE("ties count half, and narrow the distribution", "[stats][unit]") {
    // Of twelve and 36 values that are 1 or 2: 3.9 deviations only with the correction for ties.
    std::vector<double> own(12, 2.0);
    std::vector<double> other(36, 1.0);
    for (std::size_t i = 0; i < 10; ++i) other[i] = 2.0;
    CHECK(find_order_effect(own, other).has_value());
    for (std::size_t i = 10; i < 16; ++i) other[i] = 2.0;
    CHECK_FALSE(find_order_effect(own, other).has_value());
}

}  // namespace perfspec
