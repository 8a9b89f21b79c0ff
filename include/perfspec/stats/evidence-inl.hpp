// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/evidence.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>

namespace perfspec {

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

}  // namespace perfspec
