// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace perfspec {
namespace detail {

void require_finite(std::string_view who, double value) {
    if (std::isfinite(value)) return;
    throw input_error(fmt::format("{}: found {}, needs a finite number such as 0.012; a sample of zero or no time has "
                                  "no logarithm, so check the clock and the body that was measured",
                                  who, value));
}

void require_positive(std::string_view who, double value) {
    if (std::isfinite(value) && value > 0) return;
    throw input_error(fmt::format(
        "{}: found {}, needs a finite number above 0 such as 1.2; check the clock and the body that was measured", who,
        value));
}

void require_sample(std::string_view who, std::span<const double> values) {
    if (values.empty())
        throw input_error(fmt::format(
            "{}: found no values, needs at least one; nothing was measured, so check filters and budget", who));
    for (const double value : values) require_finite(who, value);
}

void require_rate(std::string_view option, double rate) {
    if (rate > 0 && rate < 1) return;
    throw input_error(
        fmt::format("{}: found {}, needs a probability between 0 and 1 such as 0.001; set it so or leave the default",
                    option, rate));
}

void require_margin(double margin) {
    if (std::isfinite(margin) && margin >= 0) return;
    throw input_error(fmt::format(
        "margin: found {}, needs a fraction of at least 0 such as 0.005; set it so or leave the default", margin));
}

[[nodiscard]] inline std::vector<double> sorted_copy(std::span<const double> values) {
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

/// Maps doubles to unsigned integers of the same order, so a bisection over these ends exactly on a double.
[[nodiscard]] inline std::uint64_t to_ordered(double value) noexcept {
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    const auto bits = std::bit_cast<std::uint64_t>(value);
    return (bits & sign) != 0 ? ~bits : bits | sign;
}

[[nodiscard]] inline double from_ordered(std::uint64_t order) noexcept {
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    return std::bit_cast<double>((order & sign) != 0 ? order ^ sign : ~order);
}

/// How many sums of two values (i <= j) are at most `limit`. Rounded sums still ascend along rows and columns, so one
/// walk along the staircase counts them all.
[[nodiscard]] inline std::size_t count_sums_up_to(double limit, const std::vector<double>& sorted) noexcept {
    std::size_t count = 0;
    std::size_t end = sorted.size();
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        while (end > i && sorted[i] + sorted[end - 1] > limit) --end;
        if (end <= i) break;
        count += end - i;
    }
    return count;
}

/// The rank-th smallest sum of two values (i <= j), with ranks from 1: the smallest double that at least `rank` sums do
/// not exceed.
[[nodiscard]] inline double select_sum(std::size_t rank, const std::vector<double>& sorted) noexcept {
    std::uint64_t low = to_ordered(sorted.front() + sorted.front());
    std::uint64_t high = to_ordered(sorted.back() + sorted.back());
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        if (count_sums_up_to(from_ordered(middle), sorted) >= rank) high = middle;
        else low = middle + 1;
    }
    return from_ordered(high);
}

/// Half of each value, ascending. Their sums are the averages of two values, and none overflows.
[[nodiscard]] inline std::vector<double> sorted_halves(std::span<const double> values) {
    std::vector<double> halves = sorted_copy(values);
    for (double& v : halves) v /= 2;
    return halves;
}

}  // namespace detail

double quantile_of_sorted(std::span<const double> sorted, double p) {
    if (sorted.empty())
        throw input_error("quantile_of_sorted: found no values, needs at least one; nothing was measured");
    if (!(p >= 0 && p <= 1))
        throw input_error(
            fmt::format("quantile_of_sorted: found p = {}, needs a fraction from 0 to 1 such as 0.99", p));
    const double position = p * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    if (below + 1 == sorted.size()) return sorted[below];
    return std::lerp(sorted[below], sorted[below + 1], position - static_cast<double>(below));
}

double median(std::span<const double> values) {
    detail::require_sample("median", values);
    return quantile_of_sorted(detail::sorted_copy(values), 0.5);
}

summary summarize(std::span<const double> values) {
    detail::require_sample("summarize", values);
    const auto sorted = detail::sorted_copy(values);
    const auto quantile = [&](double p) { return quantile_of_sorted(sorted, p); };

    summary s;
    s.n = sorted.size();
    s.minimum = sorted.front();
    s.lower_quartile = quantile(0.25);
    s.median = quantile(0.5);
    s.upper_quartile = quantile(0.75);
    s.p90 = quantile(0.90);
    s.p99 = quantile(0.99);
    s.maximum = sorted.back();

    std::vector<double> deviations(sorted.size());
    std::transform(sorted.begin(), sorted.end(), deviations.begin(), [&](double v) { return std::abs(v - s.median); });
    s.mad = median(deviations);
    return s;
}

double hodges_lehmann(std::span<const double> values) {
    detail::require_sample("hodges_lehmann", values);
    const std::vector<double> halves = detail::sorted_halves(values);
    const std::size_t averages = halves.size() * (halves.size() + 1) / 2;
    const double upper = detail::select_sum(averages / 2 + 1, halves);
    if (averages % 2 != 0) return upper;
    return detail::select_sum(averages / 2, halves) / 2 + upper / 2;
}

std::optional<std::uint64_t> repeated_count(std::span<const std::uint64_t> runs) {
    if (runs.size() < runs_of_a_count)
        throw input_error(fmt::format("repeated_count: found {} runs, needs at least {} to show that a count repeats",
                                      runs.size(), runs_of_a_count));
    if (std::ranges::any_of(runs, [&](std::uint64_t n) { return n != runs.front(); })) return {};
    return runs.front();
}

}  // namespace perfspec
