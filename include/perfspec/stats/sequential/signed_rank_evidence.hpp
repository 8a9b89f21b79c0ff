// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace perfspec {

/// Evidence about the sign of a centre, valid at every number of differences. It consists of two betting e-processes:
/// one that the differences lie above zero ("for"), and one that they lie below it ("against").
///
/// Five gamblers of equal capital bet on each difference. Two bet in proportion to the rank of its magnitude among
/// those seen so far (the size of an effect), three bet a constant (its direction). If every sign is a fair coin given
/// the past and the magnitudes, each process starts at 1 and stays below 1/p for ever with probability 1 - p (Ville's
/// inequality). This is true for any noise and any time of stopping. Tossing a fair coin for the order of every pair
/// makes the signs fair coins.
///
/// Cost per difference: two binary searches, an insertion and four logarithms.
/// Method: Vovk & Wang (arXiv 2208.08925) for the bets; the mixture is calibrated by tests/calibration.
///
///     signed_rank_evidence e;
///     for (double d : differences) e.add(d);
///     if (e.log_e_for() >= std::log(20)) …          // at most one in twenty if the centre is not above zero
class signed_rank_evidence {
public:
    static constexpr std::string_view method = "e-process of signed ranks and signs";

    /// No differences yet: both log e-values are 0.
    signed_rank_evidence() = default;

    /// Adds every difference in order. Throws input_error as add does.
    explicit signed_rank_evidence(std::span<const double> differences);

    /// The next difference, in the order of measurement; its unit cancels. Zero counts in the ranks and wins no bet.
    /// Throws input_error for a value that is not finite.
    void add(double difference);

    /// Natural logarithm of the evidence that the centre lies above zero.
    [[nodiscard]] double log_e_for() const noexcept;

    /// Natural logarithm of the evidence that the centre lies below zero.
    [[nodiscard]] double log_e_against() const noexcept;

    /// How many differences were added.
    [[nodiscard]] std::size_t size() const noexcept { return magnitudes_.size(); }

private:
    static constexpr std::size_t gamblers = 5;

    [[nodiscard]] double insert_and_rank(double magnitude);

    std::vector<double> magnitudes_;  // sorted
    std::array<double, gamblers> log_wealth_for_{};
    std::array<double, gamblers> log_wealth_against_{};
};

}  // namespace perfspec
