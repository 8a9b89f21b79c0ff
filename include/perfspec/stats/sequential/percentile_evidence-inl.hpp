// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/checks.hpp>
#include <perfspec/stats/percentile-inl.hpp>
#include <perfspec/stats/sequential/percentile_evidence.hpp>

#include <cmath>

namespace perfspec {

percentile_evidence::percentile_evidence(double level, double ratio) : level_(level), ratio_(ratio) {
    detail::require_percentile_level(level);
    detail::require_positive("percentile_evidence: ratio", ratio);
}

void percentile_evidence::add(double old_time, double fresh_time) {
    detail::require_positive("percentile_evidence", old_time);
    detail::require_positive("percentile_evidence", fresh_time);
    const double scaled_time = fresh_time / ratio_;
    if (size() >= settling_pairs) bet(old_time, scaled_time);
    pool_.push_back(old_time);
    pool_.push_back(scaled_time);
    if (size() < next_limit_at_) return;
    limit_ = percentile_of(pool_, level_);
    next_limit_at_ *= 2;
}

void percentile_evidence::bet(double old_time, double scaled_time) {
    const bool old_beyond = old_time > limit_;
    if (old_beyond == (scaled_time > limit_)) return;
    ++astride_;
    auto& winners = old_beyond ? log_wealth_for_ : log_wealth_against_;
    auto& losers = old_beyond ? log_wealth_against_ : log_wealth_for_;
    for (std::size_t i = 0; i < detail::sign_bets.size(); ++i) {
        winners[i] += std::log1p(detail::sign_bets[i]);
        losers[i] += std::log1p(-detail::sign_bets[i]);
    }
}

}  // namespace perfspec
