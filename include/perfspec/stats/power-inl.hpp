// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/power.hpp>
#include <perfspec/stats/summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace perfspec {
namespace detail {

/// Whether a stage that begins at `start` is violated. The recording starts again at its end.
inline bool stage_violated(std::span<const double> log_ratios, std::size_t start, double shift,
                           const sequential_settings& settings) {
    sequential test(settings);
    for (std::size_t i = start; test.is_open(); ++i) test.add(log_ratios[i % log_ratios.size()] - shift);
    return test.decided() == decision::violated;
}

/// The settings of one stage, of at most `how.pairs` pairs.
inline sequential_settings settings_of_stage(std::span<const double> log_ratios, const self_comparison& how) {
    if (log_ratios.size() < 10 || how.pairs < 10)
        throw input_error(fmt::format("a recording of {} pairs and stages of {} pairs: expected at least ten of each",
                                      log_ratios.size(), how.pairs));
    sequential_settings settings = how.settings;
    settings.max_size = how.pairs;
    settings.first_look = std::min(settings.first_look, how.pairs);
    return settings;
}

/// Judges a stage on the first pairs of the recording and removes them. None if the recording ends before the stage.
inline std::optional<bool> next_stage_violated(std::span<const double>& log_ratios,
                                               const sequential_settings& settings) {
    sequential test(settings);
    while (test.is_open()) {
        if (log_ratios.empty()) return std::nullopt;
        test.add(log_ratios.front());
        log_ratios = log_ratios.subspan(1);
    }
    return test.decided() == decision::violated;
}

/// P(X <= k) of a binomial X.
inline double binomial_at_most(std::size_t k, std::size_t trials, double p) {
    const auto n = static_cast<double>(trials);
    double sum = 0.0;
    for (std::size_t i = 0; i <= k; ++i) {
        const auto x = static_cast<double>(i);
        sum += std::exp(std::lgamma(n + 1.0) - std::lgamma(x + 1.0) - std::lgamma(n - x + 1.0) + x * std::log(p) +
                        (n - x) * std::log1p(-p));
    }
    return sum;
}

/// The p at which P(X <= k) equals `probability`. P(X <= k) falls as p rises.
inline double fraction_where(std::size_t k, std::size_t trials, double probability) {
    double low = 0.0;
    double high = 1.0;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2.0;
        (binomial_at_most(k, trials, middle) > probability ? low : high) = middle;
    }
    return low;
}

}  // namespace detail

alarm_rates alarms_at(std::span<const double> log_ratios, double slowdown, const self_comparison& how) {
    if (how.trials == 0 || !(slowdown > -1.0))
        throw input_error(
            fmt::format("{} trials of a slowdown of {}: expected at least one trial, and a slowdown such as 0.05",
                        how.trials, slowdown));
    const sequential_settings settings = detail::settings_of_stage(log_ratios, how);
    const double shift = std::log1p(slowdown);
    std::size_t first = 0;
    std::size_t both = 0;
    for (std::size_t trial = 0; trial < how.trials; ++trial) {
        const std::size_t start = trial * log_ratios.size() / how.trials;
        if (!detail::stage_violated(log_ratios, start, shift, settings)) continue;
        ++first;
        if (detail::stage_violated(log_ratios, start + log_ratios.size() / 2, shift, settings)) ++both;
    }
    const auto trials = static_cast<double>(how.trials);
    return {static_cast<double>(first) / trials, static_cast<double>(both) / trials};
}

double smallest_effect(std::span<const double> log_ratios, double power, const self_comparison& how) {
    const auto is_found = [&](double slowdown) { return alarms_at(log_ratios, slowdown, how).both_stages >= power; };
    double high = 1e-4;
    while (high < 1.0 && !is_found(high)) high *= 2.0;
    high = std::min(high, 1.0);
    if (!is_found(high)) return std::numeric_limits<double>::infinity();
    double low = high / 2.0;
    while (high > 1.02 * low) {
        const double middle = std::sqrt(low * high);
        (is_found(middle) ? high : low) = middle;
    }
    return high;
}

repeated_claims repeat_claims(std::span<const double> log_ratios, const self_comparison& how) {
    const sequential_settings settings = detail::settings_of_stage(log_ratios, how);
    repeated_claims result;
    while (const auto first = detail::next_stage_violated(log_ratios, settings)) {
        ++result.claims;
        if (!*first) continue;
        ++result.first_stage;
        if (detail::next_stage_violated(log_ratios, settings).value_or(false)) ++result.both_stages;
    }
    return result;
}

fraction_limits limits_of_fraction(std::size_t successes, std::size_t trials, double level) {
    detail::require_rate("level", level);
    if (trials == 0 || successes > trials)
        throw input_error(
            fmt::format("{} of {} is not a fraction of trials, expected such as 3 of 100", successes, trials));
    const double missed = (1.0 - level) / 2.0;
    return {successes == 0 ? 0.0 : detail::fraction_where(successes - 1, trials, 1.0 - missed),
            successes == trials ? 1.0 : detail::fraction_where(successes, trials, missed)};
}

}  // namespace perfspec
