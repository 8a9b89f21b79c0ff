// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/checks.hpp>
#include <perfspec/stats/stored/drift.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <string>

namespace perfspec {
namespace detail {

/// The usual drift counts as much as this many additional sessions.
inline constexpr std::size_t sessions_of_usual_drift = 3;

/// P(|T| < t) of Student's distribution with whole degrees of freedom, at t = sqrt(freedom) tan(angle) (Abramowitz and
/// Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4).
[[nodiscard]] inline double student_within(double angle, std::size_t freedom) {
    const double cosine = std::cos(angle);
    const bool is_odd = freedom % 2 == 1;
    double term = is_odd ? cosine : 1.0;
    double sum = freedom == 1 ? 0.0 : term;
    for (std::size_t i = is_odd ? 3 : 2; i < freedom; i += 2) {
        const auto n = static_cast<double>(i);
        term *= (n - 1.0) / n * cosine * cosine;
        sum += term;
    }
    sum *= std::sin(angle);
    return is_odd ? 2.0 * std::numbers::inv_pi * (angle + sum) : sum;
}

/// The quantile of Student's distribution for a probability above one half, by bisection of the angle.
[[nodiscard]] inline double student_quantile(double probability, std::size_t freedom) {
    double low = 0.0;
    double high = std::numbers::pi / 2.0;
    for (int halvings = 0; halvings < 60; ++halvings) {
        const double middle = (low + high) / 2.0;
        (student_within(middle, freedom) < 2.0 * probability - 1.0 ? low : high) = middle;
    }
    return std::sqrt(static_cast<double>(freedom)) * std::tan(low);
}

/// The sum of the squared distances from the mean.
[[nodiscard]] inline double squares_around_mean(std::span<const double> values) {
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    return std::accumulate(values.begin(), values.end(), 0.0,
                           [mean](double sum, double v) { return sum + (v - mean) * (v - mean); });
}

}  // namespace detail

double drift_allowance(std::span<const double> log_centres, double usual, double rate) {
    detail::require_sample("drift_allowance", log_centres);
    detail::require_rate("false_failure", rate);
    if (!(usual >= 0.0) || !std::isfinite(usual))
        throw input_error("drift_allowance: found a usual drift of " + detail::number_text(usual) +
                          ", needs a fraction such as 0.1");
    if (usual == 0.0 || rate >= 0.5) return usual;  // half of the new sessions are beyond any centre
    constexpr std::size_t usual_freedom = detail::sessions_of_usual_drift;
    constexpr std::size_t enough_to_allow_less = 3;
    const auto sessions = static_cast<double>(log_centres.size());
    const double usual_deviation =
        std::log1p(usual) / (detail::student_quantile(1.0 - rate, usual_freedom) * std::sqrt(2.0));
    const std::size_t freedom = usual_freedom + log_centres.size() - 1;
    const double squares = static_cast<double>(usual_freedom) * usual_deviation * usual_deviation +
                           detail::squares_around_mean(log_centres);
    const double variance = squares / static_cast<double>(freedom);
    const double allowed =
        std::expm1(detail::student_quantile(1.0 - rate, freedom) * std::sqrt(variance * (1.0 + 1.0 / sessions)));
    return log_centres.size() < enough_to_allow_less ? std::max(usual, allowed) : allowed;
}

}  // namespace perfspec
