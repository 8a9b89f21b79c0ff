// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace perfspec {

/// Order statistics of a sample, in its unit.
struct summary {
    static constexpr std::string_view method = "quantiles of type 7 (linear between order statistics)";

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

/// The standard deviation of a normal distribution is this many times its MAD.
inline constexpr double mad_to_standard_deviation = 1.4826;

/// Summary of a sample in any order. Throws input_error for no values or one that is not finite.
[[nodiscard]] summary summarize(std::span<const double> values);

/// The middle value, or the mean of the middle two. Throws as summarize does.
[[nodiscard]] double median(std::span<const double> values);

/// Quantile of values sorted ascending, p in [0, 1]: linear between the order statistics around (n - 1) p (type 7 of
/// Hyndman & Fan, 1996; the default of R and NumPy). Throws input_error for no values or another p.
[[nodiscard]] double quantile_of_sorted(std::span<const double> sorted, double p);

}  // namespace perfspec
