// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/sequential.hpp>
#include <perfspec/stats/summary.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace perfspec::inline v0_2 {

/// Fewer single iterations than this show no tail.
inline constexpr std::size_t min_percentile_iterations = 1000;

/// The percentile of a sample in any order. With n values and level p it is the order statistic of the next whole
/// number above np. If np is a whole number, it is the mean of the order statistics np and np + 1. Of 100 values,
/// p99 is the mean of the two largest.
///
/// level  from 0.5 to 0.995, as the language takes it
/// Throws input_error for no values, or one that is not finite. Source: definition 2 of Hyndman & Fan, "Sample
/// quantiles in statistical packages" (1996): the inverse of the empirical distribution, averaged where it jumps.
[[nodiscard]] double percentile_of(std::span<const double> values, double level);

/// The iterations of one block: 100, or more above level .99, so that one iteration lies beyond the level. A block's
/// statistic is its percentile_of.
[[nodiscard]] std::size_t percentile_block(double level);

/// The times of one pair of single iterations, in one unit.
struct time_pair {
    double old_time;
    double fresh_time;
};

/// Evidence about the ratio of two percentiles, valid at every number of pairs: two betting e-processes, one that the
/// percentile of `fresh` is below `ratio` times that of `old` ("for"), and one that it is above ("against").
///
/// A pair is evidence when one of its times is beyond a limit and the other is not, after `fresh` is divided by the
/// ratio: D = 1{old > limit} - 1{fresh / ratio > limit}. The limit is the percentile of all past times together. The
/// first 200 pairs only set it. It is set again whenever the number of pairs has doubled.
///
/// If a fair coin decides which of two exchangeable times is called old, the sign of D is a fair coin given the past
/// and |D|. Each process then stays below 1/p for ever with probability 1 - p (Ville's inequality). Three gamblers of
/// equal capital bet constants on the sign.
///
/// Method: Vovk & Wang (arXiv 2208.08925) for the bets; calibrated on recorded noise by tests/calibration.
class percentile_evidence {
public:
    /// The number of pairs that set the first limit, without bets.
    static constexpr std::size_t settling_pairs = 200;

    explicit percentile_evidence(double level, double ratio = 1) : level_(level), ratio_(ratio) {}

    /// The next pair, in the order of measurement. Throws input_error for a time that is not finite and positive.
    void add(const time_pair& pair);

    /// Natural logarithm of the evidence that the ratio of the percentiles is smaller.
    [[nodiscard]] double log_e_for() const noexcept { return detail::log_mean(log_wealth_for_); }

    /// Natural logarithm of the evidence that the ratio of the percentiles is greater.
    [[nodiscard]] double log_e_against() const noexcept { return detail::log_mean(log_wealth_against_); }

    /// How many pairs were added.
    [[nodiscard]] std::size_t size() const noexcept { return pool_.size() / 2; }

private:
    void bet(double old_time, double scaled_time);

    double level_;
    double ratio_;
    double limit_ = 0;
    std::size_t next_limit_at_ = settling_pairs;
    std::vector<double> pool_;
    std::array<double, detail::sign_bets.size()> log_wealth_for_{};
    std::array<double, detail::sign_bets.size()> log_wealth_against_{};
};

/// The test that a percentile of `fresh` is below `ratio` times that of `old`. It may stop at any pair. *violated* is
/// tested at the ratio, and *holds* at the ratio moved by the margin. Thresholds, stages and the first crossing are
/// those of `sequential`.
///
///     percentile_sequential test(0.99, 1.2, settings);        // p99(fresh) < 1.2 * p99(old)
///     while (test.is_open()) test.add(next_pair());
class percentile_sequential {
public:
    static constexpr std::string_view method =
        "sequential e-process of signs of the pairs astride the pooled percentile";

    percentile_sequential(double level, double ratio, const sequential_settings& settings);

    /// Adds one pair and returns the decision so far. Ignores pairs after a decision or the last one.
    decision add(const time_pair& pair);

    [[nodiscard]] bool is_open() const noexcept { return progress_.is_open(); }
    [[nodiscard]] const test_progress& progress() const noexcept { return progress_; }

private:
    test_progress progress_;
    percentile_evidence at_bound_;
    percentile_evidence at_moved_bound_;
};

/// How many pairs the test needs before it can say *violated*, if every fresh time is greater than every old one and
/// the times have a steady spread.
[[nodiscard]] std::size_t min_pairs_to_violate(double level, sequential_settings settings);

/// The ratio of the percentiles of all pairs, and {ratio : both evidences of it are below 20}: 90 % for random pairs,
/// 1/20 a side. Few pairs are evidence, so 40 would often exclude nothing although the test has decided.
///
/// returns  center: percentile_of(fresh) / percentile_of(old). The ends are found by bisection of the logarithm, to a
///          hundredth of a percent of their distance from the center, and rounded outward; 0 or infinity if there are
///          too few pairs to exclude anything. The limit of the evidence moves with the ratio, so the excluded ratios
///          need not be connected: bisection finds one of the ends.
/// Throws input_error for no pairs, or times that are not positive.
[[nodiscard]] center_interval percentile_ratio_interval(std::span<const time_pair> pairs, double level);

}  // namespace perfspec::inline v0_2
