// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/sequential.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace perfspec::inline v0_2 {
namespace detail {

/// Whether a stage that begins at `start` is violated. The recording starts again at its end.
inline bool stage_violated(std::span<const double> log_ratios, std::size_t start, double shift,
                           const sequential_settings& settings) {
    sequential test(settings);
    for (std::size_t i = start; test.is_open(); ++i) test.add(log_ratios[i % log_ratios.size()] - shift);
    return test.decided() == decision::violated;
}

}  // namespace detail

double alarms_at(std::span<const double> log_ratios, double slowdown, const self_comparison& comparison) {
    sequential_settings settings = comparison.settings;
    settings.max_size = comparison.pairs;
    settings.first_look = std::min(settings.first_look, comparison.pairs);
    const double shift = std::log1p(slowdown);
    std::size_t alarms = 0;
    for (std::size_t trial = 0; trial < comparison.trials; ++trial) {
        const std::size_t start = trial * log_ratios.size() / comparison.trials;
        const auto is_violated_from = [&](std::size_t at) {
            return detail::stage_violated(log_ratios, at, shift, settings);
        };
        if (is_violated_from(start) && is_violated_from(start + log_ratios.size() / 2)) ++alarms;
    }
    return static_cast<double>(alarms) / static_cast<double>(comparison.trials);
}

double smallest_effect(std::span<const double> log_ratios, double power, const self_comparison& comparison) {
    const auto is_found = [&](double slowdown) { return alarms_at(log_ratios, slowdown, comparison) >= power; };
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

void signed_rank_evidence::add(double difference) {
    detail::require_finite("signed_rank_evidence", difference);
    const double rank = insert_and_rank(std::abs(difference));
    if (difference == 0) return;

    auto& winners = difference > 0 ? log_wealth_for_ : log_wealth_against_;
    auto& losers = difference > 0 ? log_wealth_against_ : log_wealth_for_;
    std::size_t gambler = 0;
    const auto pay = [&](double stake) {
        winners[gambler] += std::log1p(stake);
        losers[gambler] += std::log1p(-stake);
        ++gambler;
    };
    for (const double bet : detail::rank_bets) pay(bet * rank);
    for (const double bet : detail::sign_bets) pay(bet);
}

/// The mid-rank of a magnitude among those so far including itself, divided by their number; in (0, 1).
double signed_rank_evidence::insert_and_rank(double magnitude) {
    const auto [first_equal, first_greater] = std::equal_range(magnitudes_.begin(), magnitudes_.end(), magnitude);
    const auto below = static_cast<double>(first_equal - magnitudes_.begin());
    const auto equal = static_cast<double>(first_greater - first_equal);
    magnitudes_.insert(first_greater, magnitude);
    return (below + 0.5 * equal + 0.5) / static_cast<double>(magnitudes_.size());
}

namespace detail {

test_progress start_of(const sequential_settings& s) {
    const int stages_of_test = s.confirm == stages::two ? 2 : 1;  // each of two has the square root of the rate
    return {.log_threshold_violated = -std::log(s.false_failure) / stages_of_test,
            .log_threshold_holds = -std::log(s.false_pass),
            .settings = s};
}

decision look(const test_progress& test) noexcept {
    if (test.size < test.settings.first_look) return decision::none;
    if (test.log_e_violated >= test.log_threshold_violated) return decision::violated;
    if (test.log_e_holds >= test.log_threshold_holds) return decision::holds;
    return decision::none;
}

/// How many more differences a log e-value needs to reach its threshold at its mean rate, but at least those
/// up to the first look. Infinite if it does not grow.
[[nodiscard]] inline double further_to(double log_e, double log_threshold, const test_progress& test) noexcept {
    if (log_e <= 0) return std::numeric_limits<double>::infinity();
    const auto n = static_cast<double>(test.size - test.without_evidence);
    const auto to_first_look = static_cast<double>(test.settings.first_look) - static_cast<double>(test.size);
    return std::max({1.0, to_first_look, std::ceil((log_threshold - log_e) * n / log_e)});
}

}  // namespace detail

bool test_progress::is_open() const noexcept { return decided == decision::none && size < settings.max_size; }

sequential::sequential(const sequential_settings& settings)
    : progress_(detail::start_of(settings)), log_margin_(std::log1p(settings.margin)) {}

decision sequential::add(double distance_inside_the_bound) {
    if (!is_open()) return decided();
    at_bound_.add(distance_inside_the_bound);
    at_moved_bound_.add(distance_inside_the_bound + log_margin_);
    if (distance_inside_the_bound < 0) ++streak_;
    if (distance_inside_the_bound > 0) streak_ended_ = true;
    progress_.size = at_bound_.size();
    progress_.log_e_violated = log_e_violated();
    progress_.log_e_holds = at_moved_bound_.log_e_for();
    return progress_.decided = detail::look(progress_);
}

double sequential::log_e_violated() const noexcept {
    const double mixed = at_bound_.log_e_against();
    if (progress_.settings.beyond == streak::not_bet) return mixed;
    if (streak_ended_) return mixed - std::numbers::ln2;
    const double doubled = static_cast<double>(streak_) * std::numbers::ln2;
    const auto [low, high] = std::minmax(mixed, doubled);
    return high + std::log1p(std::exp(low - high)) - std::numbers::ln2;
}

std::size_t min_size_to_violate(sequential_settings settings) {
    settings.max_size = std::numeric_limits<std::size_t>::max();
    sequential test(settings);
    while (test.decided() == decision::none) test.add(-1);
    return test.size();
}

outlook extrapolate(const test_progress& test, std::size_t reach) {
    if (test.decided != decision::none) return {test.decided, 0};
    const double to_violated = detail::further_to(test.log_e_violated, test.log_threshold_violated, test);
    const double to_holds = detail::further_to(test.log_e_holds, test.log_threshold_holds, test);
    const double left = static_cast<double>(reach) - static_cast<double>(test.size);
    const double soonest = std::min(to_violated, to_holds);
    if (soonest > left) return {};
    return {to_violated <= to_holds ? decision::violated : decision::holds, static_cast<std::size_t>(soonest)};
}

}  // namespace perfspec::inline v0_2
