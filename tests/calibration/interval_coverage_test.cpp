// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "support/noise.hpp"

#include <perfspec/claim/estimates.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/stats/sequential.hpp>
#include <perfspec/stats/summary.hpp>

#include <support/test.hpp>

#include <fstream>
#include <limits>
#include <map>
#include <span>
#include <sstream>

using namespace perfspec::testing;
using perfspec::center_interval;
using perfspec::signed_rank_interval;

namespace {

constexpr std::uint64_t runs = 1000;

dice dice_of(std::uint64_t run) { return dice(0x9e3779b97f4a7c15 * (run + 1)); }

bool holds(const center_interval& interval, double value) { return interval.low <= value && value <= interval.high; }

double percent_of_runs(std::size_t count) { return 100 * static_cast<double>(count) / static_cast<double>(runs); }

/// Percent of the intervals of `pairs` pairs that contain the true log ratio.
double coverage(noise_kind kind, std::size_t pairs, pair_order order) {
    constexpr double truth = 0.02;
    std::size_t covered = 0;
    for (std::uint64_t run = 0; run < runs; ++run) {
        dice random = dice_of(run);
        covered += holds(signed_rank_interval(paired_log_ratios(kind, pairs, truth, order, random)), truth) ? 1 : 0;
    }
    return percent_of_runs(covered);
}

struct after_a_verdict {
    double covered;       ///< percent of the intervals that contain the true log ratio
    double contradicted;  ///< percent that contain the bound, too
};

/// Intervals after the pairs of a sequential test that decided, and a quarter more.
after_a_verdict intervals_of_verdicts(noise_kind kind, double truth) {
    constexpr std::size_t most = 500;
    std::size_t covered = 0;
    std::size_t contradicted = 0;
    for (std::uint64_t run = 0; run < runs; ++run) {
        dice random = dice_of(run);
        const std::vector<double> ratios = paired_log_ratios(kind, most, truth, pair_order::random, random);
        perfspec::sequential test;
        for (const double r : ratios) test.add(r);
        REQUIRE(test.decided() != perfspec::decision::none);
        const std::size_t shown = std::min(most, test.size() + test.size() / 4);
        const center_interval interval = signed_rank_interval(std::span(ratios).first(shown));
        covered += holds(interval, truth) ? 1 : 0;
        contradicted += holds(interval, 0.0) ? 1 : 0;
    }
    return {percent_of_runs(covered), percent_of_runs(contradicted)};
}

}  // namespace

TEST_CASE("signed_rank_interval covers the true ratio as often as it says", "[stats][calibration]") {
    const auto kind = GENERATE(from_range(all_noise));
    const auto pairs = GENERATE(as<std::size_t>{}, 15, 60);
    const double percent = coverage(kind, pairs, pair_order::random);
    std::printf("interval of %zu pairs under %s covers %.1f %%\n", pairs, name_of(kind), percent);
    CHECK(percent >= 93.5);  // 95 less two standard deviations of a thousand runs
}

TEST_CASE("signed_rank_interval needs the coin for each pair", "[stats][calibration]") {
    CHECK(coverage(noise_kind::tick, 60, pair_order::one_coin) < 60);
}

TEST_CASE("the interval beside a verdict covers the true ratio, and does not contradict it", "[stats][calibration]") {
    const auto kind = GENERATE(from_range(all_noise));
    const double truth = GENERATE(-0.05, -0.03, 0.03, 0.05, 0.2);
    const auto [covered, contradicted] = intervals_of_verdicts(kind, truth);
    std::printf("interval beside a verdict, %+.2f from the bound under %s: covers %.1f %%, holds the bound %.1f %%\n",
                truth, name_of(kind), covered, contradicted);
    CHECK(covered >= 93.5);
    CHECK(contradicted <= 5);
}

namespace {

using pairs_of_run = std::vector<double>;

/// The runs of each body of short_ratios.csv.
std::map<std::string, std::vector<pairs_of_run>> recorded_short_ratios() {
    std::map<std::string, std::vector<pairs_of_run>> runs_of_body;
    std::ifstream file(PERFSPEC_TEST_SOURCE_DIR "/short_ratios.csv");
    for (std::string line; std::getline(file, line);) {
        std::istringstream fields(line);
        std::string body, number;
        std::getline(fields, body, ',');
        pairs_of_run logs;
        while (std::getline(fields, number, ',')) logs.push_back(std::stod(number));
        runs_of_body[body].push_back(logs);
    }
    return runs_of_body;
}

struct repeated_figures {
    double covered;  ///< percent of the figures that are in another run's interval
    double worst;    ///< of the body with the fewest
    double width;    ///< median of the intervals, percent of their centers
};

/// The intervals that `estimate` gives the runs of each body, and the figures of the others.
template <class Estimate> repeated_figures repeat_figures(Estimate estimate) {
    repeated_figures all{0.0, 100.0, 0.0};
    std::vector<double> widths;
    const auto recorded = recorded_short_ratios();
    for (const auto& [body, runs_of_body] : recorded) {
        std::vector<perfspec::estimate> shown;
        for (const pairs_of_run& logs : runs_of_body) shown.push_back(estimate(logs));
        std::size_t inside = 0;
        for (const auto& interval : shown) {
            widths.push_back(100 * (interval.high - interval.low) / interval.value);
            for (const auto& other : shown)
                if (&other != &interval) inside += interval.low <= other.value && other.value <= interval.high;
        }
        const double percent =
            100 * static_cast<double>(inside) / static_cast<double>(shown.size() * (shown.size() - 1));
        all.covered += percent / static_cast<double>(recorded.size());
        all.worst = std::min(all.worst, percent);
    }
    all.width = perfspec::median(widths);
    std::printf("figures in another run's interval: %.1f %%, worst body %.1f %%, width %.1f %%\n", all.covered,
                all.worst, all.width);
    return all;
}

}  // namespace

TEST_CASE("the interval of a ratio contains the figure of a repetition", "[stats][calibration]") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto [covered, worst, width] = repeat_figures([](const pairs_of_run& logs) {
        return perfspec::detail::estimate_across_processes(logs, {-infinity, infinity});
    });
    CHECK(covered >= 83);  // as exact intervals of both figures do
    CHECK(worst >= 70);
    CHECK(width <= 5);
}

TEST_CASE("the pairs of one process do not show the figure of the next one", "[stats][calibration]") {
    CHECK(repeat_figures([](const pairs_of_run& logs) { return perfspec::detail::estimate_of_logs(logs); }).covered <
          70);
}
