// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/checks.hpp>
#include <perfspec/stats/stored_rank_test.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace perfspec {

namespace detail {

/// The largest limits that keep the sequence of looks below .2 % violated and 5 % holds at exchangeability. The exact
/// rates are enumerated again by tests/stats/stored_rank_test_test.cpp.
inline constexpr std::array<stored_rank_limits, 11> stored_rank_table{{
    {10, 0, 2, 0, 3, 9, {0.00186, 0.0479}},
    {11, 0, 3, 1, 3, 10, {0.00197, 0.0497}},
    {12, 1, 3, 1, 4, 11, {0.00175, 0.0493}},
    {13, 1, 4, 1, 5, 12, {0.00184, 0.0496}},
    {14, 1, 5, 1, 5, 14, {0.00196, 0.0489}},
    {15, 2, 5, 2, 5, 14, {0.00181, 0.0491}},
    {16, 2, 6, 2, 6, 15, {0.00187, 0.0491}},
    {17, 2, 7, 2, 6, 17, {0.00194, 0.0481}},
    {18, 3, 7, 2, 7, 18, {0.00179, 0.0479}},
    {19, 3, 8, 3, 7, 18, {0.00184, 0.0474}},
    {20, 3, 9, 3, 8, 20, {0.00190, 0.0497}},
}};

/// The same for one side of two, below .1 % violated, with the limits of holds as they are: where both sides have to hold, neither needs a smaller
/// rate for it.
inline constexpr std::array<stored_rank_limits, 11> stored_rank_table_of_two_sides{{
    {10, 0, 0, 0, 3, 9, {0.00100, 0.0479}},
    {11, 0, 1, 1, 3, 10, {0.00092, 0.0497}},
    {12, 0, 2, 1, 4, 11, {0.00097, 0.0493}},
    {13, 1, 1, 1, 5, 12, {0.00084, 0.0496}},
    {14, 1, 3, 1, 5, 14, {0.00100, 0.0489}},
    {15, 0, 4, 2, 5, 14, {0.00092, 0.0491}},
    {16, 2, 3, 2, 6, 15, {0.00091, 0.0491}},
    {17, 1, 5, 2, 6, 17, {0.00091, 0.0481}},
    {18, 3, 3, 2, 7, 18, {0.00096, 0.0479}},
    {19, 3, 5, 3, 7, 18, {0.00098, 0.0474}},
    {20, 3, 6, 3, 8, 20, {0.00097, 0.0497}},
}};

/// The row for so many stored launches.
[[nodiscard]] inline const stored_rank_limits* limits_for(std::size_t stored, claim_sides sides) {
    if (!stored_rank_test::can_judge(stored))
        throw input_error("stored_rank_test: found " + std::to_string(stored) +
                          " stored launches, needs 10 to 20; record more with update_baselines=append, or pass the"
                          " newest twenty");
    const auto& table = sides == claim_sides::one ? stored_rank_table : stored_rank_table_of_two_sides;
    return &table[stored - stored_rank_test::min_stored];
}

/// How many of the sorted values lie below a value; ties count a half.
[[nodiscard]] inline double count_below(double value, const std::vector<double>& sorted) noexcept {
    const auto [first_equal, first_greater] = std::equal_range(sorted.begin(), sorted.end(), value);
    return (static_cast<double>(first_equal - sorted.begin()) + static_cast<double>(first_greater - sorted.begin())) / 2;
}

[[nodiscard]] inline double count_above(double value, const std::vector<double>& sorted) noexcept {
    return static_cast<double>(sorted.size()) - count_below(value, sorted);
}

}  // namespace detail

stored_rank_test::stored_rank_test(std::span<const double> bounds, direction claimed, double margin, claim_sides sides)
    : bounds_(bounds.begin(), bounds.end()), claimed_(claimed), margin_(margin), limits_(detail::limits_for(bounds.size(), sides)) {
    detail::require_sample("stored_rank_test", bounds);
    detail::require_margin(margin);
    std::sort(bounds_.begin(), bounds_.end());
}

decision stored_rank_test::add(double launch) {
    detail::require_finite("stored_rank_test", launch);
    if (launch < 0)
        throw input_error("stored_rank_test: found the launch value " + detail::number_text(launch) +
                          ", needs 0 or more; the margin is a fraction of it");
    if (decided_ != decision::none || launches_ == max_launches) return decided_;
    ++launches_;
    if (claimed_ == direction::less) {
        u_ += detail::count_above(launch, bounds_);
        v_ += detail::count_below(launch / (1 + margin_), bounds_);
    } else {
        u_ += detail::count_below(launch, bounds_);
        v_ += detail::count_above(launch * (1 + margin_), bounds_);
    }
    return decided_ = look();
}

decision stored_rank_test::look() const noexcept {
    const bool violated = (launches_ == 4 && u_ <= limits_->violated_at_4) || (launches_ == 5 && u_ <= limits_->violated_at_5);
    if (violated) return decision::violated;
    const bool holds = (launches_ == 2 && v_ <= limits_->holds_at_2) || (launches_ == 3 && v_ <= limits_->holds_at_3) ||
                       (launches_ == 5 && v_ <= limits_->holds_at_5);
    return holds ? decision::holds : decision::none;
}

}  // namespace perfspec
