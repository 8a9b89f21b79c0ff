// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/stats/ratio_of_samples.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace perfspec {
namespace {

/// How often the interval of two samples of log-normal values holds `told`, where one is `factor` times as large.
double coverage(std::size_t m, std::size_t n, double factor, double told) {
    std::mt19937_64 bits(7);
    std::normal_distribution<double> logs(0.0, 0.05);
    constexpr int draws = 4000;
    int held = 0;
    for (int i = 0; i < draws; ++i) {
        std::vector<double> x(m), y(n);
        for (double& v : x) v = factor * std::exp(logs(bits));
        for (double& v : y) v = std::exp(logs(bits));
        const auto found = find_ratio_of_samples(x, y);
        if (found && found->low <= told && told <= found->high) ++held;
    }
    return held / static_cast<double>(draws);
}

}  // namespace

TEST_CASE("a ratio of samples is the median of all ratios, between two of them", "[stats][unit]") {
    // Of the 16 ratios 2^-3 .. 2^3 times 8: k = floor(8 - 1.96 * sqrt(16 * 9 / 12)) = 1, the smallest and the largest.
    const std::vector<double> x{8, 16, 32, 64};
    const std::vector<double> y{1, 2, 4, 8};
    CHECK(find_ratio_of_samples(x, y) == ratio_of_samples{8, 1, 64});
    CHECK(find_ratio_of_samples(y, x) == ratio_of_samples{0.125, 1.0 / 64, 1});
    // k = floor(18 - 1.96 * sqrt(36 * 13 / 12)) = 5 of 36.
    const std::vector<double> six{1, 2, 4, 8, 16, 32};
    CHECK(find_ratio_of_samples(six, six) == ratio_of_samples{1, 0.125, 8});
}

TEST_CASE("equal values have a ratio without doubt, and values that are no ratio have none", "[stats][unit]") {
    CHECK(find_ratio_of_samples(std::vector<double>(10, 3.0), std::vector<double>(30, 2.0)) == ratio_of_samples{1.5, 1.5, 1.5});
    CHECK_FALSE(find_ratio_of_samples(std::vector<double>(10, 3.0), std::vector<double>(30, 0.0)).has_value());
    CHECK_FALSE(find_ratio_of_samples(std::vector<double>(10, -3.0), std::vector<double>(30, 1.0)).has_value());
}

TEST_CASE("too few values have no ratio", "[stats][unit]") {
    CHECK_FALSE(find_ratio_of_samples({}, std::vector<double>(30, 1.0)).has_value());
    CHECK_FALSE(find_ratio_of_samples(std::vector<double>(30, 1.0), {}).has_value());
    CHECK_FALSE(find_ratio_of_samples(std::vector<double>(2, 1.0), std::vector<double>(3, 1.0)).has_value());
}

TEST_CASE("the interval of a ratio of samples holds the factor in 95 of 100 cases", "[stats][unit]") {
    // One standard deviation of 4,000 draws is 0.0035.
    CHECK(coverage(5, 15, 1.2, 1.2) > 0.94);
    CHECK(coverage(20, 60, 1.2, 1.2) > 0.94);
    CHECK(coverage(20, 60, 1.2, 1.2) < 0.965);       // no wider than it has to be
    CHECK(coverage(20, 60, 1.2, 1.2 * 1.04) < 0.2);  // a factor that is wrong by three standard deviations of the centre
}

}  // namespace perfspec
