// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/sequential/bets.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace perfspec {

/// Evidence about the ratio of two percentiles, valid at every number of pairs. It consists of two betting e-processes:
/// one that the percentile of `fresh` is below `ratio` times that of `old` ("for"), and one that it is above
/// ("against").
///
/// A pair is evidence when one of its times is beyond a limit and the other is not, after `fresh` is divided by the
/// ratio: D = 1{old > limit} - 1{fresh / ratio > limit}. The limit is the percentile of all past times together, so it
/// is known before the pair is seen. The first 200 pairs only set the limit. It is set again whenever the number of
/// pairs has doubled.
///
/// If a fair coin decides which of two exchangeable times is called old, the sign of D is a fair coin given the past
/// and |D|, whatever the noise does. Each process then stays below 1/p for ever with probability 1 - p (Ville's
/// inequality). Three gamblers of equal capital bet constants on the sign.
///
/// Method: Vovk & Wang (arXiv 2208.08925) for the bets; calibrated on recorded noise by tests/calibration.
///
///     percentile_evidence e(0.99, 1.2);                       // p99(fresh) against 1.2 * p99(old)
///     for (const auto& p : pairs) e.add(p.old_ns, p.fresh_ns);
///     if (e.log_e_for() >= std::log(20)) …
class percentile_evidence {
public:
    static constexpr std::string_view method = "e-process of signs of the pairs astride the pooled percentile";

    /// This many pairs set the first limit; there are no bets on them.
    static constexpr std::size_t settling_pairs = 200;

    /// level  of the percentile, a fraction in [0.5, 0.995]
    /// ratio  of the percentiles under test, positive
    /// Throws input_error for another level or ratio.
    explicit percentile_evidence(double level, double ratio = 1);

    /// The next pair of single iterations, in the order of measurement; both times are in one unit. Throws input_error
    /// for a time that is not finite and positive.
    void add(double old_time, double fresh_time);

    /// Natural logarithm of the evidence that the ratio of the percentiles is smaller.
    [[nodiscard]] double log_e_for() const noexcept { return detail::log_mean(log_wealth_for_); }

    /// Natural logarithm of the evidence that the ratio of the percentiles is greater.
    [[nodiscard]] double log_e_against() const noexcept { return detail::log_mean(log_wealth_against_); }

    /// How many pairs were added.
    [[nodiscard]] std::size_t size() const noexcept { return pool_.size() / 2; }

    /// How many of them were bet on: one time beyond the limit and the other not.
    [[nodiscard]] std::size_t astride() const noexcept { return astride_; }

private:
    void bet(double old_time, double scaled_time);

    double level_;
    double ratio_;
    double limit_ = 0;
    std::size_t next_limit_at_ = settling_pairs;
    std::size_t astride_ = 0;
    std::vector<double> pool_;
    std::array<double, detail::sign_bets.size()> log_wealth_for_{};
    std::array<double, detail::sign_bets.size()> log_wealth_against_{};
};

}  // namespace perfspec
