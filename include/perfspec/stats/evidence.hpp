// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace perfspec {
namespace detail {

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

}  // namespace detail

/// Evidence about the sign of a centre, valid at every number of differences: two betting e-processes, one that the
/// differences lie above zero ("for"), and one that they lie below it ("against").
///
/// Five gamblers of equal capital bet on each difference. Two bet in proportion to the rank of its magnitude among
/// those so far (the size of an effect), three bet a constant (its direction). If every sign is a fair coin given
/// the past and the magnitudes, each process starts at 1 and stays below 1/p for ever with probability 1 - p (Ville's
/// inequality), for any noise and any time of stopping. A fair coin for the order of every pair makes the signs fair.
///
/// Method: Vovk & Wang (arXiv 2208.08925) for the bets; the mixture is calibrated by tests/calibration.
///
///     signed_rank_evidence e;
///     for (double d : differences) e.add(d);
///     if (e.log_e_for() >= std::log(20)) …          // at most one in twenty if the centre is not above zero
class signed_rank_evidence {
public:
    /// The next difference, in the order of measurement; its unit cancels. Zero counts in the ranks and wins no bet.
    /// Throws input_error for a value that is not finite.
    void add(double difference);

    /// Natural logarithm of the evidence that the centre lies above zero; 0 at the start, like the next.
    [[nodiscard]] double log_e_for() const noexcept { return detail::log_mean(log_wealth_for_); }

    /// Natural logarithm of the evidence that the centre lies below zero.
    [[nodiscard]] double log_e_against() const noexcept { return detail::log_mean(log_wealth_against_); }

    /// How many differences were added.
    [[nodiscard]] std::size_t size() const noexcept { return magnitudes_.size(); }

private:
    static constexpr std::size_t gamblers = detail::rank_bets.size() + detail::sign_bets.size();

    [[nodiscard]] double insert_and_rank(double magnitude);

    std::vector<double> magnitudes_;  // sorted
    std::array<double, gamblers> log_wealth_for_{};
    std::array<double, gamblers> log_wealth_against_{};
};

}  // namespace perfspec
