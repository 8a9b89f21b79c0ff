// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Values of samples: their centers and intervals, their summaries, and on which side of a bound they are.

#include <perfspec/claim/claim_context.hpp>
#include <perfspec/report/claim_result.hpp>
#include <perfspec/stats/summary.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// Whether two numbers are equal but for the last bits of a product. For example, 1.1 x 50 is 55, and 15 % above 100 is
/// 115, but doubles miss some of these. Whole numbers have to be exactly equal.
[[nodiscard]] bool is_same_number(double a, double b);

/// Whether an exact value is on the claimed side of the bound, or equal to a bound that the claim includes.
[[nodiscard]] bool satisfies(comparison compared, double value, double bound);

/// The arithmetic mean. Precondition: there is at least one value.
[[nodiscard]] double mean_of(const std::vector<double>& values);

/// The logarithm of a value. 0 becomes a tiny positive number, which is below every other value.
[[nodiscard]] double log_of(double value);
/// How far a value is inside its bound, by logarithms. If both are 0, there is no distance, but a side.
[[nodiscard]] double log_inside(const claim_context& context, double value, double bound);

/// The center of logarithms as a value, with its confidence interval.
[[nodiscard]] estimate estimate_of_logs(const std::vector<double>& logs);
/// The same of values: by their logarithms if all have one, because noise is relative.
[[nodiscard]] estimate estimate_of_values(const std::vector<double>& values);

[[nodiscard]] inline bool contains(const center_interval& interval, double value) {
    return interval.low <= value && value <= interval.high;
}

/// Whether the interval of logarithms is narrow enough to print: it excludes the bound, and is within 2 %.
[[nodiscard]] inline bool is_narrow(const center_interval& interval, double log_bound) {
    return !contains(interval, log_bound) && interval.high - interval.low <= 0.04;
}

/// The ends of the tolerance that this claim is one side of; of other claims, both are the bound.
[[nodiscard]] tolerated_range allowed_by(const claim_context& side, double bound);

/// The standard deviation between processes of the logarithm of a ratio of times, beside the distance between the
/// quartiles of its pairs: each process has its own addresses and pages. Measured (stats/README.md, "Intervals").
inline constexpr double deviation_between_processes = 0.0115;

/// A ratio of times from the logarithms of its pairs in this process. The interval is for the value that the next
/// process measures, too. An end goes at most half of the way to a bound that the pairs exclude, so that it does not
/// contradict the verdict.
///
/// allowed  the ends of a tolerance; without one, both are the bound
[[nodiscard]] estimate estimate_across_processes(const std::vector<double>& logs, const tolerated_range& allowed);

/// The estimate of a value that repeats or was read once.
[[nodiscard]] constexpr estimate without_interval(double value) noexcept { return {value, value, value, 0.0}; }

/// The summary of one subject's times for a record: at most 64 quantiles, and at most 64 points of their course in the
/// order of `times`.
[[nodiscard]] sample_summary summary_of(const std::string& name, std::vector<double> times, std::uint64_t iterations,
                                        dimension unit = dimension::time);

}  // namespace perfspec::inline v0_2::detail
