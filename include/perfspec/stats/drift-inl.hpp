// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/drift.hpp>
#include <perfspec/stats/rank_test.hpp>
#include <perfspec/stats/summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <vector>

namespace perfspec {
namespace detail {

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

/// The fresh launches of each run, drawn from the stored ones.
[[nodiscard]] inline std::vector<std::vector<double>> runs_drawn_from(std::span<const double> launches) {
    constexpr std::size_t runs = 200;
    std::mt19937_64 random(7);
    std::vector<std::vector<double>> drawn(runs);
    for (std::vector<double>& run : drawn)
        while (run.size() < stored_rank_test::max_launches) run.push_back(launches[random() % launches.size()]);
    return drawn;
}

/// In how many of the runs the claim is found violated when all fresh launches are multiplied by `factor`.
[[nodiscard]] inline std::size_t runs_violated(const drifting_rank_test& claim,
                                               const std::vector<std::vector<double>>& runs, double factor) {
    return static_cast<std::size_t>(std::ranges::count_if(runs, [&](const std::vector<double>& run) {
        drifting_rank_test test = claim;
        for (std::size_t i = 0; test.is_open() && i < run.size(); ++i) test.add(run[i] * factor);
        return test.decided() == decision::violated;
    }));
}

}  // namespace detail

double drift_allowance(std::span<const double> log_centres, double usual, double rate) {
    detail::require_sample("drift_allowance", log_centres);
    detail::require_rate("false_failure", rate);
    if (!(usual >= 0.0) || !std::isfinite(usual))
        throw input_error(
            fmt::format("drift_allowance: found a usual drift of {}, needs a fraction such as 0.1", usual));
    if (usual == 0.0 || rate >= 0.5) return usual;  // half of the new sessions are beyond any centre
    constexpr std::size_t usual_freedom = 3;        // the usual drift counts as this many additional sessions
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

double detectable_change(std::span<const double> launches, direction claimed, double allowance) {
    const drifting_rank_test claim(launches, claimed, allowance);
    const auto runs = detail::runs_drawn_from(launches);
    const double sign = claimed == direction::less ? 1.0 : -1.0;
    const auto is_found = [&](double log_change) {
        return detail::runs_violated(claim, runs, std::exp(sign * log_change)) * 10 >= runs.size() * 9;
    };
    double low = 0.0;
    double high = std::log(10.0);
    if (!is_found(high)) return std::numeric_limits<double>::infinity();
    while (high - low > 1e-4) {
        const double middle = (low + high) / 2;
        (is_found(middle) ? high : low) = middle;
    }
    return claimed == direction::less ? std::expm1(high) : -std::expm1(-high);
}

}  // namespace perfspec
