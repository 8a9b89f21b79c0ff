// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/sequential/evidence_interval.hpp>
#include <perfspec/stats/sequential/percentile_evidence.hpp>
#include <perfspec/stats/sequential/sequential.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace perfspec {

/// The times of one pair of single iterations.
struct time_pair {
    double old_time;
    double fresh_time;
};

/// The test that a percentile of `fresh` is below `ratio` times that of `old`. It may stop at any pair. *violated* is
/// tested at the ratio, and *holds* at the ratio moved by the margin. Thresholds and stages are those of `sequential`,
/// and the first crossing counts as there.
///
///     percentile_sequential test(0.99, 1.2);                  // p99(fresh) < 1.2 * p99(old)
///     while (test.decided() == decision::none && !test.exhausted()) test.add(next_pair());
class percentile_sequential {
public:
    static constexpr std::string_view method =
        "sequential e-process of signs of the pairs astride the pooled percentile, at the bound and at the margin";

    /// Throws input_error as percentile_evidence and sequential do.
    percentile_sequential(double level, double ratio,
                          const sequential_settings& settings = sequential_settings::for_percentile_pairs());

    /// Adds one pair and returns the decision so far. Pairs after a decision, or after the maximum number of pairs, are
    /// ignored.
    decision add(const time_pair& pair);

    [[nodiscard]] const percentile_evidence& at_bound() const noexcept { return at_bound_; }
    [[nodiscard]] const percentile_evidence& at_moved_bound() const noexcept { return at_moved_bound_; }
    [[nodiscard]] decision decided() const noexcept { return decided_; }
    [[nodiscard]] bool exhausted() const noexcept {
        return decided_ == decision::none && at_bound_.size() >= settings_.max_size;
    }
    [[nodiscard]] test_progress progress() const noexcept;

private:
    sequential_settings settings_;
    double log_threshold_violated_;
    double log_threshold_holds_;
    percentile_evidence at_bound_;
    percentile_evidence at_moved_bound_;
    decision decided_ = decision::none;
};

/// How many pairs the test needs before it can say *violated*, where every fresh time is greater than every old one and
/// the times have a steady spread. Throws input_error as percentile_sequential does.
[[nodiscard]] std::size_t min_pairs_to_violate(double level, sequential_settings settings);

/// The ratio of the percentiles of all pairs, and {ratio : both evidences of it are below the threshold}.
///
/// threshold  above 2; 20 guarantees 90 % for random pairs, 1/20 a side. Few pairs are astride, so 40 would often
/// exclude nothing where the
///            test has decided. With 20 the moved bound of a claim that holds is excluded.
/// returns    centre: percentile_of(fresh) / percentile_of(old). The ends are found by bisection of the logarithm
/// towards the centre, to a
///            hundredth of a percent of their distance from it, and rounded outward. They are 0 or infinity where there
///            are too few pairs to exclude anything. The limit of the evidence moves with the ratio, so the excluded
///            ratios need not be connected: bisection finds one of the ends.
/// Throws input_error for no pairs, times that are not positive, a level outside [0.5, 0.995], or a threshold of 2 or
/// less.
[[nodiscard]] centre_interval percentile_ratio_interval(std::span<const time_pair> pairs, double level,
                                                        double threshold = 20);

}  // namespace perfspec
