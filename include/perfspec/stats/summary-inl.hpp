// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace perfspec::inline v0_2 {
namespace detail {

/// The standard deviation of a normal distribution is this many times its MAD.
inline constexpr double mad_to_standard_deviation = 1.4826;

/// The probability that at most `heads` of n fair coins show heads.
inline double at_most_heads(std::size_t n, std::size_t heads) {
    double term = std::pow(0.5, static_cast<double>(n));  // C(n, k) / 2^n
    double sum = term;
    for (std::size_t k = 0; k < heads && k < n; ++k) {
        term *= static_cast<double>(n - k) / static_cast<double>(k + 1);
        sum += term;
    }
    return sum;
}

/// Order statistics at this rank from either end contain the median of n values with 95 % or more, if n allows that.
inline std::size_t rank_around_median(std::size_t n) {
    std::size_t rank = 0;
    while (2 * (rank + 2) <= n && 1 - 2 * at_most_heads(n, rank + 1) >= 0.95) ++rank;
    return rank;
}

/// How far each value is from their median, in logarithms and scaled like a standard deviation.
inline std::vector<double> scaled_distances(std::string_view who, std::span<const double> values) {
    std::vector<double> distances;
    for (const double v : values) {
        require_positive(who, v);
        distances.push_back(std::log(v));
    }
    const double center = median(distances);
    for (double& d : distances) d = mad_to_standard_deviation * std::abs(d - center);
    return distances;
}

}  // namespace detail

double relative_spread(std::span<const double> processes) {
    detail::require_sample("relative_spread", processes);
    if (std::ranges::adjacent_find(processes, std::not_equal_to<>()) == processes.end()) return 0.0;
    return median(detail::scaled_distances("relative_spread", processes));
}

process_spread spread_of(std::span<const double> values) {
    process_spread result{.distances = detail::scaled_distances("spread_of", values)};
    std::vector<double> sorted = result.distances;
    std::ranges::sort(sorted);
    const std::size_t rank = detail::rank_around_median(sorted.size());
    result.spread = median(sorted);
    result.low = sorted[rank];
    result.high = sorted[sorted.size() - 1 - rank];
    result.level = 1 - 2 * detail::at_most_heads(sorted.size(), rank);
    return result;
}

decision spread_test::decide(std::span<const double> distances, direction claimed, double bound) const {
    const bool odd = distances.size() % 2 == 1;
    const std::size_t counted = distances.size() - (odd ? 1 : 0);
    const auto wrong = [&](double at) {  // processes on the wrong side
        const auto beyond =
            static_cast<std::size_t>(std::ranges::count_if(distances, [&](double d) { return d > at; }));
        return claimed == direction::less ? beyond : counted - std::min(beyond, counted);
    };
    const double moved = claimed == direction::less ? bound * (1 + margin) : bound / (1 + margin);
    if (detail::at_most_heads(counted, counted - std::min(wrong(bound), counted)) <= false_failure)
        return decision::violated;
    if (detail::at_most_heads(counted, wrong(moved)) <= false_pass) return decision::holds;
    return decision::none;
}

std::size_t spread_test::min_size_to_violate() const {
    std::size_t counted = min_processes_of_a_spread;
    while (detail::at_most_heads(counted, 0) > false_failure)
        counted += 2;  // with an odd number, one process does not count
    return counted;
}

namespace detail {

inline constexpr std::size_t quarters = 4;

/// Whether each median is at least 1.15 times the one before it, and the last at least `in_all` times the first.
inline bool is_rising(const std::array<double, quarters>& medians, double in_all) {
    constexpr double from_each = 1.15;
    for (std::size_t i = 1; i < quarters; ++i)
        if (!(medians[i] >= from_each * medians[i - 1])) return false;
    return medians.back() >= in_all * medians.front();
}

}  // namespace detail

std::optional<trend> find_trend(std::span<const double> values, double in_all) {
    constexpr std::size_t min_in_a_quarter = 2;
    const std::size_t length = values.size() / detail::quarters;
    if (length < min_in_a_quarter) return {};
    std::array<double, detail::quarters> medians{};
    for (std::size_t i = 0; i < detail::quarters; ++i) {
        const auto part = values.subspan(i * length, i + 1 == detail::quarters ? std::dynamic_extent : length);
        medians[i] = median(part);
    }
    const std::array<double, detail::quarters> backwards{medians[3], medians[2], medians[1], medians[0]};
    if (!detail::is_rising(medians, in_all) && !detail::is_rising(backwards, in_all)) return {};
    return trend{medians.front(), medians.back()};
}

double complexity_slope(std::span<const complexity_point> points) {
    const auto n = static_cast<double>(points.size());
    double mean_x = 0;
    double mean_y = 0;
    for (const complexity_point& p : points) {
        detail::require_positive("complexity_slope", p.time);
        mean_x += std::log(p.size) / n;
        mean_y += std::log(p.time) / n;
    }
    double xx = 0;
    double xy = 0;
    for (const complexity_point& p : points) {
        const double x = std::log(p.size) - mean_x;
        xx += x * x;
        xy += x * (std::log(p.time) - mean_y);
    }
    return xy / xx;
}

namespace detail {

void require_finite(std::string_view who, double value) {
    if (std::isfinite(value)) return;
    throw input_error(
        fmt::format("{}: found {}, expected a finite number such as 0.012. A sample without time has no logarithm, so "
                    "check the clock and the measured body",
                    who, value));
}

void require_positive(std::string_view who, double value) {
    if (std::isfinite(value) && value > 0) return;
    throw input_error(fmt::format(
        "{}: found {}, expected a finite number above 0, such as 1.2. Check the clock and the body", who, value));
}

void require_sample(std::string_view who, std::span<const double> values) {
    if (values.empty())
        throw input_error(fmt::format(
            "{}: found no values, expected at least one. Nothing was measured, so check filters and budget", who));
    for (const double value : values) require_finite(who, value);
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
    if (std::ranges::any_of(runs, [&](std::uint64_t n) { return n != runs.front(); })) return {};
    return runs.front();
}

namespace detail {

/// How many of the 2^n sets of ranks from 1 to n have each sum, from 0 up. Exact for n up to 53.
[[nodiscard]] inline std::vector<double> sets_by_rank_sum(std::size_t n) {
    std::vector<double> sets(n * (n + 1) / 2 + 1, 0.0);
    sets[0] = 1.0;
    for (std::size_t rank = 1, largest = 1; rank <= n; largest += ++rank)
        for (std::size_t sum = largest; sum >= rank; --sum) sets[sum] += sets[sum - rank];
    return sets;
}

/// The largest k for which the sum of the positive ranks of n values is below k in at most 2.5 % of all cases: this
/// many averages lie outside of the interval at each end.
[[nodiscard]] inline std::size_t averages_outside(std::size_t n) {
    constexpr std::size_t largest_exact = 50;
    const auto size = static_cast<double>(n);
    if (n > largest_exact) {
        constexpr double normal_quantile = 1.959964;  // of 0.975
        const double mean = size * (size + 1.0) / 4.0;
        const double deviation = std::sqrt(size * (size + 1.0) * (2.0 * size + 1.0) / 24.0);
        return static_cast<std::size_t>(mean - normal_quantile * deviation);
    }
    const double allowed = 0.025 * std::exp2(size);
    double below = 0.0;
    std::size_t k = 0;
    for (const double sets : sets_by_rank_sum(n)) {
        below += sets;
        if (below > allowed) break;
        ++k;
    }
    return k;
}

}  // namespace detail

center_interval signed_rank_interval(std::span<const double> values) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double level = 0.95;
    detail::require_sample("signed_rank_interval", values);
    const std::size_t k = detail::averages_outside(values.size());
    const double center = hodges_lehmann(values);
    if (k == 0) return {-infinity, center, infinity, level};
    const std::vector<double> halves = detail::sorted_halves(values);
    const std::size_t averages = halves.size() * (halves.size() + 1) / 2;
    return {detail::select_sum(k, halves), center, detail::select_sum(averages + 1 - k, halves), level};
}

}  // namespace perfspec::inline v0_2
