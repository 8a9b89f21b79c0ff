// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/checks.hpp>
#include <perfspec/stats/sequential/sequential.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

namespace perfspec {

namespace detail {

inline void require_looks(std::size_t first_look, std::size_t maximum) {
    if (first_look >= 1 && maximum >= first_look) return;
    throw input_error("rounds: found at most " + std::to_string(maximum) + ", needs at least " +
                      std::to_string(first_look) + ", where the first look is; raise rounds or leave the default");
}

/// Checks the settings before any logarithm of them is taken.
[[nodiscard]] inline const sequential_settings& checked(const sequential_settings& s) {
    require_rate("false_failure", s.false_failure);
    require_rate("false_pass", s.false_pass);
    require_margin(s.margin);
    require_looks(s.first_look, s.max_size);
    return s;
}

/// Each of two stages runs at the square root of the rate.
[[nodiscard]] inline double log_threshold_violated(const sequential_settings& s) noexcept {
    return -std::log(s.false_failure) / (s.confirm == stages::two ? 2 : 1);
}

}  // namespace detail

sequential::sequential(const sequential_settings& settings)
    : settings_(detail::checked(settings)), log_threshold_violated_(detail::log_threshold_violated(settings)),
      log_threshold_holds_(-std::log(settings.false_pass)), log_margin_(std::log1p(settings.margin)) {}

decision sequential::add(double distance_inside_the_bound) {
    if (decided_ != decision::none || exhausted()) return decided_;
    at_bound_.add(distance_inside_the_bound);
    at_moved_bound_.add(distance_inside_the_bound + log_margin_);
    if (distance_inside_the_bound < 0) ++streak_;
    if (distance_inside_the_bound > 0) streak_ended_ = true;
    return decided_ = look();
}

double sequential::log_e_violated() const noexcept {
    const double mixed = at_bound_.log_e_against();
    if (settings_.beyond == streak::not_bet) return mixed;
    if (streak_ended_) return mixed - std::numbers::ln2;
    const double doubled = static_cast<double>(streak_) * std::numbers::ln2;
    const auto [low, high] = std::minmax(mixed, doubled);
    return high + std::log1p(std::exp(low - high)) - std::numbers::ln2;
}

decision sequential::look() const noexcept {
    if (size() < settings_.first_look) return decision::none;
    if (log_e_violated() >= log_threshold_violated_) return decision::violated;
    if (at_moved_bound_.log_e_for() >= log_threshold_holds_) return decision::holds;
    return decision::none;
}

bool sequential::exhausted() const noexcept { return decided_ == decision::none && size() >= settings_.max_size; }

test_progress sequential::progress() const noexcept {
    return {.decided = decided_,
            .size = size(),
            .without_evidence = 0,
            .log_e_violated = log_e_violated(),
            .log_e_holds = at_moved_bound_.log_e_for(),
            .log_threshold_violated = log_threshold_violated_,
            .log_threshold_holds = log_threshold_holds_,
            .settings = settings_};
}

std::size_t min_size_to_violate(sequential_settings settings) {
    settings.max_size = std::numeric_limits<std::size_t>::max();
    sequential test(settings);
    while (test.decided() == decision::none) test.add(-1);
    return test.size();
}

sequential replay(std::span<const double> distances, const sequential_settings& settings) {
    sequential test(settings);
    for (const double distance : distances) test.add(distance);
    return test;
}

}  // namespace perfspec
