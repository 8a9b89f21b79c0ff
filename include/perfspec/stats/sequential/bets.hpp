// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

// What the gamblers of the e-processes stake, and how their wealth is pooled.

namespace perfspec::detail {

// Tuned on recorded noise (tests/calibration). The sign bets use the narrow peak in the middle of real timing noise,
// and the rank bets the size of the values beside it.
inline constexpr std::array<double, 2> rank_bets{0.35, 0.85};
inline constexpr std::array<double, 3> sign_bets{0.2, 0.5, 0.9};

/// Logarithm of the mean of the gamblers' wealths.
template <std::size_t N> [[nodiscard]] double log_mean(const std::array<double, N>& log_wealth) noexcept {
    const double largest = *std::max_element(log_wealth.begin(), log_wealth.end());
    double sum = 0;
    for (const double l : log_wealth) sum += std::exp(l - largest);
    return largest + std::log(sum / static_cast<double>(N));
}

}  // namespace perfspec::detail
