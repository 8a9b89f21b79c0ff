// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/sequential.hpp>

#include <cstddef>
#include <cstdint>
#include <numbers>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace perfspec::inline v0_2 {

/// A center, and the values that a test at that center does not reject.
struct center_interval {
    /// Six values are the fewest whose signed-rank interval at 95 % has ends.
    static constexpr std::size_t minimum = 6;

    double low = 0;     ///< minus infinity if there are fewer than six values
    double center = 0;  ///< Hodges-Lehmann
    double high = 0;    ///< plus infinity for fewer than six
    double level = 0;   ///< nominal coverage, such as 0.95
};

/// The Hodges-Lehmann center and the values that the signed-rank test does not reject at 95 %: the range of all
/// averages (x_i + x_j) / 2, i <= j, without the k smallest and the k largest.
///
/// values  in any order and unit
/// Exact if each value is as likely to lie as far above the center as below it, and if their number does not depend on
/// them. The distribution of the statistic is exact up to 50 values, and normal beyond that. After a sequential test,
/// whose number of values depends on them, the coverage is calibrated (README.md, "Intervals").
/// Throws input_error for no values or one that is not finite.
///
/// Source: Hollander, Wolfe & Chicken, *Nonparametric Statistical Methods*, 3rd edition, section 3.3.
///
///     const auto ratio = signed_rank_interval(log_ratios);
///     std::printf("%.3f (%.3f .. %.3f)", std::exp(ratio.center), std::exp(ratio.low), std::exp(ratio.high));
[[nodiscard]] center_interval signed_rank_interval(std::span<const double> values);

// The spread of processes, and claims on it.

/// If the processes of one session spread by more than this, the baseline is not recorded.
inline constexpr double max_spread_to_record = 0.20;

/// The distance beyond a bound that a spread of processes above that can explain, a logarithm: a factor of two.
inline constexpr double explained_by_spread = std::numbers::ln2;

/// The robust relative spread of processes: 1.4826 times the median absolute deviation of their logarithms; 0 if all
/// are equal.
///
/// processes  one value of each process, positive, or all equal (such as counts of 0)
/// Throws input_error for no processes, or a value that is not finite or not positive.
[[nodiscard]] double relative_spread(std::span<const double> processes);

/// The same spread with an interval, as fractions.
struct process_spread {
    static constexpr std::string_view method =
        "1.4826 times the median distance of the logarithms of processes from their median";

    double spread = 0;  ///< the standard deviation of the logarithms if they are normal
    double low = 0;     ///< an interval by order statistics of the distances
    double high = 0;
    double level = 0;                 ///< its coverage: 95 % or more, if there are enough processes
    std::vector<double> distances{};  ///< of each process from the median, in their order, scaled like the spread
};

/// The default number of processes for a spread. Fewer than ten are not enough.
inline constexpr std::size_t processes_of_a_spread = 15;
inline constexpr std::size_t min_processes_of_a_spread = 10;

/// The spread of at least three values. Throws input_error for one that is not finite and positive.
[[nodiscard]] process_spread spread_of(std::span<const double> values);

/// The test of a claim on a spread. Half of the processes are within the spread of their median, so the claim is about
/// how many processes are within the bound.
///
/// That number is tested by binomial tests for independent processes: *violated* at the bound with false_failure,
/// *holds* at the bound moved by the margin with false_pass. They would be exact for distances from the true median;
/// with those from the median of a skewed sample they exceed the rates (README.md, "Spread"). With an odd number of
/// processes the median process is within any bound, and does not count. With fifteen processes three beyond the bound
/// still hold, and thirteen of fourteen violate.
struct spread_test {
    static constexpr std::string_view method = "exact binomial test of how many processes lie within the bound";

    double margin = 0.005;
    double false_failure = 1e-3;
    double false_pass = 0.05;

    [[nodiscard]] decision decide(std::span<const double> distances, direction claimed, double bound) const;

    /// The fewest processes for *violated*, if all are beyond the bound. Ten at a rate of 0.001.
    [[nodiscard]] std::size_t min_size_to_violate() const;
};

// The change of values with time, and with the size of the work.

/// The medians of the first and of the last quarter of values.
struct trend {
    double first{};
    double last{};

    friend bool operator==(const trend&, const trend&) = default;
};

/// Whether positive values, at least eight, keep rising or falling in the order in which they were measured. They rise
/// if the median of each quarter is at least 15 % above that of the quarter before it, and the last at least `in_all`
/// times the first. They fall if they rise when read backwards.
///
/// This test has no error rate: the machine makes neighboring values similar. In recorded noise, stretches of 8 to 20
/// samples look like a trend in 6 of 48,000 cases for single-threaded code in the caches, and in 8 of 12,000 for 64
/// MiB. For two threads it is 4 of 12,000, for a fourfold rise (row N of tests/calibration).
[[nodiscard]] std::optional<trend> find_trend(std::span<const double> values, double in_all = 2.0);

/// One time of a body at one size.
struct complexity_point {
    double size;  ///< n
    double time;  ///< in any unit
};

/// The number of times of each size in one slope.
inline constexpr int samples_of_a_size = 4;

inline constexpr std::string_view complexity_method = "least-squares slope of log(time) on log(size)";

/// How much steeper than claimed a time may grow, as a power of n. A factor log(n) passes, because sizes that a test
/// can afford do not distinguish it from a small power.
inline constexpr double complexity_tolerance = 0.15;

/// The slope of log t on log n: the power of n by which the time grows.
///
/// points  of at least two sizes, in any order; a block is five sizes measured four times each
/// Throws input_error for a time that is not finite and positive.
[[nodiscard]] double complexity_slope(std::span<const complexity_point> points);

// Order statistics, the center of rank tests, and counts.

/// Order statistics of a sample, in its unit. The quantiles are of type 7 (see `quantile_of_sorted`).
struct summary {
    std::size_t n = 0;
    double minimum = 0;
    double lower_quartile = 0;
    double median = 0;
    double upper_quartile = 0;
    double p90 = 0;
    double p99 = 0;
    double maximum = 0;
    double mad = 0;  ///< median of |x - median|, unscaled

    friend bool operator==(const summary&, const summary&) = default;
};

/// Summary of a sample in any order. Throws input_error for no values or one that is not finite.
[[nodiscard]] summary summarize(std::span<const double> values);

/// The middle value, or the mean of the middle two. Throws as summarize does.
[[nodiscard]] double median(std::span<const double> values);

/// Quantile of values sorted ascending, p in [0, 1]: linear between the order statistics around (n - 1) p (type 7 of
/// Hyndman & Fan, 1996; the default of R and NumPy). There must be values.
[[nodiscard]] double quantile_of_sorted(std::span<const double> sorted, double p);

/// The center of signed-rank tests: the median of the averages (x_i + x_j) / 2 over all i <= j, exact. With an even
/// number of averages, it is the mean of the middle two. Cost: O(n log n), without storing the averages.
///
/// Throws as summarize does. Source: Hodges & Lehmann, "Estimates of location based on rank tests", Ann. Math. Statist.
/// 34 (1963).
[[nodiscard]] double hodges_lehmann(std::span<const double> values);

/// The number of runs that show whether a count repeats (allocations, bytes, instructions). If it does, integers are
/// compared; otherwise logarithms, as for times.
inline constexpr std::size_t runs_of_a_count = 3;

/// The count that all runs have, three or more; none if two differ.
[[nodiscard]] std::optional<std::uint64_t> repeated_count(std::span<const std::uint64_t> runs);

namespace detail {

// Each throws input_error with a text that begins with the first argument:

/// if the value is not finite;
void require_finite(std::string_view who, double value);

/// if the value is not finite and positive;
void require_positive(std::string_view who, double value);

/// if there are no values, or one is not finite.
void require_sample(std::string_view who, std::span<const double> values);

}  // namespace detail
}  // namespace perfspec::inline v0_2
