// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/checks.hpp>
#include <perfspec/stats/stored/rank_sums.hpp>
#include <perfspec/stats/stored/stored_rank_test.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace perfspec {

namespace detail {

/// The shares of the rates that may be spent up to a look. Claims that clearly hold end after two launches. Most
/// violations need many launches.
struct spending_at_look {
    std::size_t launches;
    double violated;  ///< 0: no look for it here
    double holds;
};
inline constexpr std::array<spending_at_look, 5> spending_plan{{
    {2, 0.0, 0.4},
    {3, 0.0, 0.6},
    {5, 0.35, 0.8},
    {10, 0.6, 0.9},
    {20, 1.0, 1.0},
}};

/// Sets the limits of all looks of one side. The part of the rate that a look does not use is left to the next one.
class rate_spender {
public:
    rate_spender(const rank_sum_counts& counts, double rate) : counts_(&counts), rate_(rate) {}

    [[nodiscard]] std::int64_t limit_at(std::size_t launches, double share) {
        if (share == 0.0) return -1;
        const std::int64_t limit = counts_->most_below(launches, share * rate_ - spent_);
        spent_ += counts_->probability_up_to(launches, limit);
        return limit;
    }

private:
    const rank_sum_counts* counts_;
    double rate_;
    double spent_ = 0.0;
};

[[nodiscard]] inline std::vector<stored_rank_look> looks_against(std::size_t stored, stored_rank_rates rates) {
    const rank_sum_counts counts(stored, stored_rank_test::max_launches);
    rate_spender violated(counts, rates.violated);
    rate_spender holds(counts, rates.holds);
    std::vector<stored_rank_look> looks;
    for (const spending_at_look& at : spending_plan)
        looks.push_back(
            {at.launches, violated.limit_at(at.launches, at.violated), holds.limit_at(at.launches, at.holds)});
    return looks;
}

/// Throws input_error for a number of stored launches that the test does not take.
inline void require_launches_to_judge(std::size_t stored) {
    if (stored_rank_test::can_judge(stored)) return;
    throw input_error(
        "stored_rank_test: found " + std::to_string(stored) +
        " stored launches, needs 10 to 40; record more with update_baselines=append, or pass forty of them");
}

/// How many of the sorted values are below a value; ties count a half.
[[nodiscard]] inline double count_below(double value, const std::vector<double>& sorted) noexcept {
    const auto [first_equal, first_greater] = std::equal_range(sorted.begin(), sorted.end(), value);
    return (static_cast<double>(first_equal - sorted.begin()) + static_cast<double>(first_greater - sorted.begin())) /
           2;
}

[[nodiscard]] inline double count_above(double value, const std::vector<double>& sorted) noexcept {
    return static_cast<double>(sorted.size()) - count_below(value, sorted);
}

/// A limit of -1 is below every sum.
[[nodiscard]] inline bool is_up_to(double sum, std::int64_t limit) noexcept {
    return sum <= static_cast<double>(limit);
}

}  // namespace detail

stored_rank_test::stored_rank_test(std::span<const double> bounds, direction claimed, double margin,
                                   stored_rank_rates rates)
    : bounds_(bounds.begin(), bounds.end()), claimed_(claimed), margin_(margin) {
    detail::require_launches_to_judge(bounds.size());
    detail::require_sample("stored_rank_test", bounds);
    detail::require_margin(margin);
    detail::require_rate("false_failure", rates.violated);
    detail::require_rate("false_pass", rates.holds);
    std::sort(bounds_.begin(), bounds_.end());
    looks_ = detail::looks_against(bounds.size(), rates);
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
    const auto now = std::ranges::find(looks_, launches_, &stored_rank_look::launches);
    if (now == looks_.end()) return decision::none;
    if (detail::is_up_to(u_, now->violated)) return decision::violated;
    return detail::is_up_to(v_, now->holds) ? decision::holds : decision::none;
}

std::size_t stored_rank_test::launches_to_violate() const noexcept {
    const auto first = std::ranges::find_if(looks_, [](const stored_rank_look& l) { return l.violated >= 0; });
    return first == looks_.end() ? max_launches + 1 : first->launches;
}

}  // namespace perfspec
