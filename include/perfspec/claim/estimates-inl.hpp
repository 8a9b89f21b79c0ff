// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/estimates.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

double mean_of(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double log_of(double value) { return std::log(std::max(value, 1e-300)); }

double log_inside(const claim_context& context, double value, double bound) {
    if (value == 0.0 && bound == 0.0) return satisfies(context.compared(), value, bound) ? 1.0 : -1.0;
    return context.sign() * (log_of(value) - log_of(bound));
}

/// The center, its confidence interval and the median.
inline estimate interval_estimate(const std::vector<double>& values) {
    center_interval interval = signed_rank_interval(values);
    if (!std::isfinite(interval.low)) {  // too few for an interval: their range at level 0
        const auto [low, high] = std::ranges::minmax(values);
        interval = {.low = low, .center = interval.center, .high = high, .level = 0.0};
    }
    return {interval.center, interval.low, interval.high, interval.level};
}

estimate estimate_of_logs(const std::vector<double>& logs) {
    const estimate e = interval_estimate(logs);
    return {std::exp(e.value), std::exp(e.low), std::exp(e.high), e.level};
}

estimate estimate_of_values(const std::vector<double>& values) {
    if (std::ranges::any_of(values, [](double v) { return !(v > 0.0); })) return interval_estimate(values);
    std::vector<double> logs;
    for (const double v : values) logs.push_back(std::log(v));
    return estimate_of_logs(logs);
}

tolerated_range allowed_by(const claim_context& side, double bound) {
    if (!side.has_tolerance()) return {bound, bound};
    const better direction = side.query.direction;
    const double middle = midpoint_of(*side.written, direction, side.end.value(), bound);
    const auto [low, high] = std::minmax({bound_of_side(*side.written, direction, tolerance_end::loss, middle),
                                          bound_of_side(*side.written, direction, tolerance_end::gain, middle)});
    return {low, high};
}

estimate estimate_across_processes(const std::vector<double>& logs, const tolerated_range& allowed) {
    constexpr double normal_quantile = 1.96;
    const estimate here = estimate_of_logs(logs);
    const summary pairs = summarize(logs);
    const double deviation = std::hypot(deviation_between_processes, pairs.upper_quartile - pairs.lower_quartile);
    const auto reach = [&](double end) {
        return std::exp(std::hypot(std::log(end / here.value), normal_quantile * deviation));
    };
    double low = here.value / reach(here.low), high = here.value * reach(here.high);
    for (const double bound : {allowed.low, allowed.high}) {
        if (bound < here.low) low = std::max(low, std::sqrt(bound * here.low));
        if (bound > here.high) high = std::min(high, std::sqrt(bound * here.high));
    }
    return {here.value, low, high, here.level};
}

/// The number of points of a distribution, or of its course, in a record: enough for a picture.
constexpr std::size_t points_of_pictures = 64;

/// The medians of consecutive stretches of equal length.
std::vector<double> course_of(std::span<const double> times) {
    const std::size_t points = std::min(points_of_pictures, times.size());
    std::vector<double> course;
    for (std::size_t i = 0; i < points; ++i) {
        const std::size_t from = i * times.size() / points;
        course.push_back(median(times.subspan(from, (i + 1) * times.size() / points - from)));
    }
    return course;
}

sample_summary summary_of(const std::string& name, std::vector<double> times, std::uint64_t iterations,
                          dimension unit) {
    const summary s = summarize(times);
    sample_summary result{name,  s.minimum, s.lower_quartile, s.median, s.upper_quartile,
                          s.p90, s.p99,     s.maximum,        s.n,      iterations,
                          {},    unit,      course_of(times)};
    std::ranges::sort(times);
    const std::size_t points = std::min(points_of_pictures, times.size());
    for (std::size_t i = 0; i < points; ++i) {
        result.strip.push_back(
            quantile_of_sorted(times, points == 1 ? 0.5 : static_cast<double>(i) / static_cast<double>(points - 1)));
    }
    return result;
}

bool is_same_number(double a, double b) {
    constexpr double rounding = 2e-13;  // 1 - 0.99 is off by 1e-13 of its value
    const bool both_are_whole = a == std::trunc(a) && b == std::trunc(b);
    return a == b || (!both_are_whole && std::abs(a - b) <= rounding * std::abs(b));
}

bool satisfies(comparison compared, double value, double bound) {
    const bool same = is_same_number(value, bound);
    switch (compared) {
    case comparison::less: return !same && value < bound;
    case comparison::less_equal: return same || value < bound;
    case comparison::greater: return !same && value > bound;
    case comparison::greater_equal: return same || value > bound;
    case comparison::equal: break;
    }
    return same;
}

}  // namespace perfspec::inline v0_2::detail
