// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/power.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

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

}  // namespace perfspec
