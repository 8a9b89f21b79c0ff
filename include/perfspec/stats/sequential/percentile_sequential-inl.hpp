// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/sequential/evidence_interval-inl.hpp>
#include <perfspec/stats/sequential/percentile_evidence-inl.hpp>
#include <perfspec/stats/sequential/percentile_sequential.hpp>
#include <perfspec/stats/sequential/sequential-inl.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace perfspec {

namespace detail {

[[nodiscard]] inline std::vector<double> times_of_side(std::span<const time_pair> pairs, double time_pair::*side) {
    std::vector<double> times(pairs.size());
    std::transform(pairs.begin(), pairs.end(), times.begin(), [side](const time_pair& p) { return p.*side; });
    return times;
}

/// Logarithm of the end of the interval. Infinite where not even a ratio at which the two sides do not overlap is
/// excluded.
[[nodiscard]] inline double log_ratio_end(interval_end end, double log_centre, double log_beyond,
                                          std::span<const time_pair> pairs, double level, double threshold) {
    const auto is_excluded = [&](double log_ratio) {
        percentile_evidence e(level, std::exp(log_ratio));
        for (const time_pair& p : pairs) e.add(p.old_time, p.fresh_time);
        return (end == interval_end::low ? e.log_e_against() : e.log_e_for()) >= std::log(threshold);
    };
    if (!is_excluded(log_beyond))
        return std::copysign(std::numeric_limits<double>::infinity(), end == interval_end::low ? -1.0 : 1.0);
    return bisect(log_beyond, log_centre, 1e-4, is_excluded);
}

}  // namespace detail

percentile_sequential::percentile_sequential(double level, double ratio, const sequential_settings& settings)
    : settings_(detail::checked(settings)), log_threshold_violated_(detail::log_threshold_violated(settings)),
      log_threshold_holds_(-std::log(settings.false_pass)), at_bound_(level, ratio),
      at_moved_bound_(level, ratio * (1 + settings.margin)) {}

decision percentile_sequential::add(const time_pair& pair) {
    if (decided_ != decision::none || at_bound_.size() >= settings_.max_size) return decided_;
    at_bound_.add(pair.old_time, pair.fresh_time);
    at_moved_bound_.add(pair.old_time, pair.fresh_time);
    if (at_bound_.size() < settings_.first_look) return decided_;
    if (at_bound_.log_e_against() >= log_threshold_violated_) return decided_ = decision::violated;
    if (at_moved_bound_.log_e_for() >= log_threshold_holds_) return decided_ = decision::holds;
    return decided_;
}

test_progress percentile_sequential::progress() const noexcept {
    return {.decided = decided_,
            .size = at_bound_.size(),
            .without_evidence = std::min(at_bound_.size(), percentile_evidence::settling_pairs),
            .log_e_violated = at_bound_.log_e_against(),
            .log_e_holds = at_moved_bound_.log_e_for(),
            .log_threshold_violated = log_threshold_violated_,
            .log_threshold_holds = log_threshold_holds_,
            .settings = settings_};
}

std::size_t min_pairs_to_violate(double level, sequential_settings settings) {
    settings.max_size = std::numeric_limits<std::size_t>::max();
    percentile_sequential test(level, 1.0, settings);
    double spread = 0.0;
    for (std::size_t pairs = 1;; ++pairs) {
        spread = std::fmod(spread + std::numbers::phi, 1.0);  // fills [0, 1) evenly, in no order
        if (test.add({.old_time = 1.0, .fresh_time = 2.0 + spread}) != decision::none) return pairs;
    }
}

centre_interval percentile_ratio_interval(std::span<const time_pair> pairs, double level, double threshold) {
    detail::require_interval_threshold("percentile_ratio_interval", threshold);
    const auto old_times = detail::times_of_side(pairs, &time_pair::old_time);
    const auto fresh_times = detail::times_of_side(pairs, &time_pair::fresh_time);
    const double centre = percentile_of(fresh_times, level) / percentile_of(old_times, level);
    const auto [least_old, greatest_old] = std::minmax_element(old_times.begin(), old_times.end());
    const auto [least_fresh, greatest_fresh] = std::minmax_element(fresh_times.begin(), fresh_times.end());
    constexpr double apart = 1.001;  // makes sure that no time of one side equals one of the other
    const double beyond_low = std::log(*least_fresh / *greatest_old / apart);
    const double beyond_high = std::log(*greatest_fresh / *least_old * apart);
    const auto end = [&](detail::interval_end which, double log_beyond) {
        return std::exp(detail::log_ratio_end(which, std::log(centre), log_beyond, pairs, level, threshold));
    };
    return {end(detail::interval_end::low, beyond_low), centre, end(detail::interval_end::high, beyond_high),
            1 - 2 / threshold};
}

}  // namespace perfspec
