// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/percentile.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace perfspec::inline v0_2 {

namespace detail {

/// level * n, without the rounding error that keeps .57 * 100 from being 57.
[[nodiscard]] inline double exact_position(double level, std::size_t n) noexcept {
    const double position = level * static_cast<double>(n);
    const double whole = std::round(position);
    return std::abs(position - whole) < 1e-9 * static_cast<double>(n) ? whole : position;
}

}  // namespace detail

double percentile_of(std::span<const double> values, double level) {
    detail::require_sample("percentile_of", values);
    std::vector<double> ordered(values.begin(), values.end());
    const double position = detail::exact_position(level, ordered.size());
    const double order = std::ceil(position);  // ranks start at 1
    const auto at = ordered.begin() + static_cast<std::ptrdiff_t>(order) - 1;
    std::nth_element(ordered.begin(), at, ordered.end());
    if (position != order) return *at;
    // With a level below 1 at least one value follows `at`.
    return std::midpoint(*at, *std::min_element(at + 1, ordered.end()));
}

std::size_t percentile_block(double level) {
    constexpr double minimum = 100;
    return static_cast<std::size_t>(std::max(minimum, std::ceil(1 / (1 - level) - 1e-9)));
}

void percentile_evidence::add(const time_pair& pair) {
    detail::require_positive("percentile_evidence", pair.old_time);
    detail::require_positive("percentile_evidence", pair.fresh_time);
    const double scaled_time = pair.fresh_time / ratio_;
    if (size() >= settling_pairs) bet(pair.old_time, scaled_time);
    pool_.push_back(pair.old_time);
    pool_.push_back(scaled_time);
    if (size() < next_limit_at_) return;
    limit_ = percentile_of(pool_, level_);
    next_limit_at_ *= 2;
}

void percentile_evidence::bet(double old_time, double scaled_time) {
    const bool old_beyond = old_time > limit_;
    if (old_beyond == (scaled_time > limit_)) return;
    auto& winners = old_beyond ? log_wealth_for_ : log_wealth_against_;
    auto& losers = old_beyond ? log_wealth_against_ : log_wealth_for_;
    for (std::size_t i = 0; i < detail::sign_bets.size(); ++i) {
        winners[i] += std::log1p(detail::sign_bets[i]);
        losers[i] += std::log1p(-detail::sign_bets[i]);
    }
}

percentile_sequential::percentile_sequential(double level, double ratio, const sequential_settings& settings)
    : progress_(detail::start_of(settings)), at_bound_(level, ratio),
      at_moved_bound_(level, ratio * (1 + settings.margin)) {}

decision percentile_sequential::add(const time_pair& pair) {
    if (!is_open()) return progress_.decided;
    at_bound_.add(pair);
    at_moved_bound_.add(pair);
    progress_.size = at_bound_.size();
    progress_.without_evidence = std::min(progress_.size, percentile_evidence::settling_pairs);
    progress_.log_e_violated = at_bound_.log_e_against();
    progress_.log_e_holds = at_moved_bound_.log_e_for();
    return progress_.decided = detail::look(progress_);
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

namespace detail {

enum class interval_end : bool { low, high };

/// Searches from an excluded value towards one inside, and returns the last excluded value; `inside` if all are.
template <class Excluded> [[nodiscard]] double bisect(double outside, double inside, const Excluded& is_excluded) {
    constexpr double precision = 1e-4;
    constexpr int enough_for_a_double = 64;
    const double center = inside;
    for (int i = 0; i < enough_for_a_double && std::abs(outside - inside) > precision * std::abs(outside - center);
         ++i) {
        const double middle = outside / 2 + inside / 2;
        (is_excluded(middle) ? outside : inside) = middle;
    }
    return outside;
}

[[nodiscard]] inline std::vector<double> times_of_side(std::span<const time_pair> pairs, double time_pair::*side) {
    std::vector<double> times(pairs.size());
    std::transform(pairs.begin(), pairs.end(), times.begin(), [side](const time_pair& p) { return p.*side; });
    return times;
}

/// Logarithm of the end of the interval. Infinite if the evidence excludes not even `log_beyond`, at which the two
/// sides do not overlap.
[[nodiscard]] inline double log_ratio_end(interval_end end, double log_center, double log_beyond,
                                          std::span<const time_pair> pairs, double level, double threshold) {
    const auto is_excluded = [&](double log_ratio) {
        percentile_evidence e(level, std::exp(log_ratio));
        for (const time_pair& p : pairs) e.add(p);
        return (end == interval_end::low ? e.log_e_against() : e.log_e_for()) >= std::log(threshold);
    };
    if (!is_excluded(log_beyond))
        return std::copysign(std::numeric_limits<double>::infinity(), end == interval_end::low ? -1.0 : 1.0);
    return bisect(log_beyond, log_center, is_excluded);
}

}  // namespace detail

center_interval percentile_ratio_interval(std::span<const time_pair> pairs, double level) {
    constexpr double threshold = 20;
    const auto old_times = detail::times_of_side(pairs, &time_pair::old_time);
    const auto fresh_times = detail::times_of_side(pairs, &time_pair::fresh_time);
    const double center = percentile_of(fresh_times, level) / percentile_of(old_times, level);
    const auto [least_old, greatest_old] = std::minmax_element(old_times.begin(), old_times.end());
    const auto [least_fresh, greatest_fresh] = std::minmax_element(fresh_times.begin(), fresh_times.end());
    constexpr double apart = 1.001;  // makes sure that no time of one side equals one of the other
    const double beyond_low = std::log(*least_fresh / *greatest_old / apart);
    const double beyond_high = std::log(*greatest_fresh / *least_old * apart);
    const auto end = [&](detail::interval_end which, double log_beyond) {
        return std::exp(detail::log_ratio_end(which, std::log(center), log_beyond, pairs, level, threshold));
    };
    return {end(detail::interval_end::low, beyond_low), center, end(detail::interval_end::high, beyond_high),
            1 - 2 / threshold};
}

}  // namespace perfspec::inline v0_2
