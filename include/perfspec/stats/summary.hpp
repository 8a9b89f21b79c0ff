// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

// Order statistics, the centre that ranks test, and counts.

namespace perfspec {

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
/// Hyndman & Fan, 1996; the default of R and NumPy). Throws input_error for no values or another p.
[[nodiscard]] double quantile_of_sorted(std::span<const double> sorted, double p);

/// The centre that ranks and signs test together: the median of the averages (x_i + x_j) / 2 over all i <= j, exact.
/// With an even number of averages, it is the mean of the middle two. Cost: O(n log n), without storing the averages.
///
/// Throws as summarize does. Source: Hodges & Lehmann, "Estimates of location based on rank tests", Ann. Math. Statist.
/// 34 (1963).
[[nodiscard]] double hodges_lehmann(std::span<const double> values);

/// This many runs show whether a count (allocations, bytes, instructions) repeats. One that does is compared as an
/// integer; others are judged by their logarithms, as times are.
inline constexpr std::size_t runs_of_a_count = 3;

/// The count that all runs have; none if two differ. Throws input_error for fewer than three runs.
[[nodiscard]] std::optional<std::uint64_t> repeated_count(std::span<const std::uint64_t> runs);

namespace detail {

// Each throws input_error, which begins with the first argument.

/// For a value that is not finite.
void require_finite(std::string_view who, double value);

/// For a value that is not finite and positive.
void require_positive(std::string_view who, double value);

/// For no values, or one that is not finite.
void require_sample(std::string_view who, std::span<const double> values);

/// For a rate that is not a probability strictly between 0 and 1.
void require_rate(std::string_view option, double rate);

/// For a margin that is negative or not finite.
void require_margin(double margin);

}  // namespace detail
}  // namespace perfspec
