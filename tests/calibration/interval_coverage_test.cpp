// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include "support/noise.hpp"

#include <perfspec/stats/evidence.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>

using namespace perfspec::testing;

namespace {

/// Percent of intervals that hold the true log ratio.
double coverage(noise_kind kind, std::size_t pairs, double threshold) {
    constexpr double truth = 0.02;
    constexpr std::uint64_t runs = 1000;
    std::size_t covered = 0;
    for (std::uint64_t run = 0; run < runs; ++run) {
        dice random(0x9e3779b97f4a7c15 * (run + 1));
        const auto ratios = paired_log_ratios(kind, pairs, truth, pair_order::random, random);
        const auto interval = perfspec::evidence_interval(ratios, threshold);
        covered += interval.low <= truth && truth <= interval.high ? 1 : 0;
    }
    return 100 * static_cast<double>(covered) / static_cast<double>(runs);
}

}  // namespace

TEST_CASE("evidence_interval covers the true ratio as often as it says",
          "[stats][calibration]") {  // stats/README.md, "Intervals"
    const auto kind = GENERATE(from_range(all_noise));
    const auto pairs = GENERATE(as<std::size_t>{}, 15, 60);
    const double percent = coverage(kind, pairs, 40);
    std::printf("interval of %zu pairs under %s covers %.1f %%\n", pairs, name_of(kind), percent);
    CHECK(percent >= 98);
    CHECK(coverage(kind, pairs, 2.5) < 98);  // negative control: a threshold that guarantees 20 %
}
