// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace perfspec::inline v0_2 {
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

/// Evidence about the sign of a center, valid at every number of differences. Two betting e-processes: the differences
/// lie above zero ("for"), or below it ("against").
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
///     if (e.log_e_for() >= std::log(20)) …          // at most one in twenty if the center is not above zero
class signed_rank_evidence {
public:
    /// The next difference, in the order of measurement; its unit cancels. Zero counts in the ranks and wins no bet.
    /// Throws input_error for a value that is not finite.
    void add(double difference);

    /// Natural logarithm of the evidence that the center lies above zero; 0 at the start, like the next.
    [[nodiscard]] double log_e_for() const noexcept { return detail::log_mean(log_wealth_for_); }

    /// Natural logarithm of the evidence that the center lies below zero.
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

/// The side of the bound that a claim allows: less for times, more for rates and speedups.
enum class direction : std::uint8_t { less, more };

/// In how many fresh processes a violated claim must be found violated before it fails. With two, each stage runs at
/// the square root of the rate, because the stages are independent.
enum class stages : std::uint8_t { one, two };

/// Whether half of the capital against the claim bets all it has on every sign: it doubles with each distance beyond
/// the bound, and the first one inside loses it. An average of two e-processes is an e-process, so the rate stays
/// exact. Eleven processes beyond the bound then decide instead of fourteen.
enum class streak : std::uint8_t { not_bet, bet };

/// The decision of a test so far. Not a verdict: one stage of two may say violated.
enum class decision : std::uint8_t { none, violated, holds };

/// The rates and limits of one sequential test.
struct sequential_settings {
    double margin = 0.005;         ///< the tolerated distance beyond the bound, as a fraction; may be 0
    double false_failure = 1e-3;   ///< of the claim, over all its stages
    double false_pass = 0.05;      ///< at the bound moved by the margin
    stages confirm = stages::two;  ///< the stages that share false_failure
    std::size_t first_look = 10;   ///< no decision before this many differences
    std::size_t max_size = 2000;   ///< no decision after this many differences
    streak beyond = streak::not_bet;

    /// Pairs of samples in one process: the defaults.
    [[nodiscard]] static constexpr sequential_settings for_pairs() { return {}; }

    /// Pairs of single iterations. Only the few in the tail are evidence about a percentile.
    [[nodiscard]] static constexpr sequential_settings for_percentile_pairs() {
        sequential_settings s;
        s.max_size = 20'000;
        return s;
    }

    /// Values of processes, or centers of process pairs. Each is already from a fresh process, so one stage carries the
    /// whole rate. It takes at least seven processes to hold, and eleven to fail.
    [[nodiscard]] static constexpr sequential_settings for_process_centers() {
        sequential_settings s;
        s.confirm = stages::one;
        s.first_look = 7;
        s.max_size = 20;
        s.beyond = streak::bet;
        return s;
    }

    friend bool operator==(const sequential_settings&, const sequential_settings&) = default;
};

/// The state of a sequential test.
struct test_progress {
    decision decided = decision::none;
    std::size_t size = 0;              ///< differences that count
    std::size_t without_evidence = 0;  ///< the first of them, which only prepared the test
    double log_e_violated = 0;         ///< evidence against the claim, at the bound; with the bet on a streak, if any
    double log_e_holds = 0;            ///< evidence for it, at the bound moved by the margin
    double log_threshold_violated = 0;
    double log_threshold_holds = 0;
    sequential_settings settings{};

    /// Whether more differences may decide the test.
    [[nodiscard]] bool is_open() const noexcept;
};

namespace detail {

/// A test without differences.
[[nodiscard]] test_progress start_of(const sequential_settings& settings);

/// The decision by the size and the evidence so far. Checks violated first.
[[nodiscard]] decision look(const test_progress& test) noexcept;

}  // namespace detail

/// A test that may stop at any difference. *violated* is tested at the bound, and *holds* at the bound moved by the
/// margin to the lenient side. The first crossing counts, and violated is checked first.
///
/// Its input is logarithmic distances to the bound, positive inside it: log(a / b) - log(bound) for `speedup(a, b) >
/// bound`, log(bound) - log(time) for `latency(x) < bound`. The rates are exact if the sign of every distance is a
/// fair coin at the bound (pairs in random order, process pairs of exchangeable builds). For block medians they are
/// only calibrated.
///
///     sequential test(sequential_settings::for_pairs());
///     while (test.is_open() && in_time()) test.add(next_pair() - log_bound);
class sequential {
public:
    static constexpr std::string_view method = "sequential e-process of signed ranks and signs";

    explicit sequential(const sequential_settings& settings = {});

    /// Adds one distance and returns the decision so far. Ignores distances after a decision or the last one.
    /// Throws input_error for a distance that is not finite.
    decision add(double distance_inside_the_bound);

    [[nodiscard]] decision decided() const noexcept { return progress_.decided; }

    /// The number of distances that count; after a decision, the number that it took.
    [[nodiscard]] std::size_t size() const noexcept { return progress_.size; }

    [[nodiscard]] bool is_open() const noexcept { return progress_.is_open(); }

    [[nodiscard]] const test_progress& progress() const noexcept { return progress_; }

private:
    [[nodiscard]] double log_e_violated() const noexcept;

    test_progress progress_;
    double log_margin_;
    signed_rank_evidence at_bound_;
    signed_rank_evidence at_moved_bound_;
    std::size_t streak_ = 0;
    bool streak_ended_ = false;
};

/// How many differences a test needs before it can say *violated*, if all are beyond the bound and equally far. A
/// claim whose limits allow fewer cannot fail. With the defaults: 10 in the first of two stages, 14 in one stage, 11
/// processes.
[[nodiscard]] std::size_t min_size_to_violate(sequential_settings settings);

/// What an undecided test is likely to decide.
struct outlook {
    decision toward = decision::none;  ///< none: no decision within reach
    std::size_t further = 0;           ///< differences still needed at the present rate; 0 if `toward` is none
};

/// How many more differences a test needs if the logarithm of its e-value continues to grow at the rate so far.
///
/// reach  the most differences that the test can have, including those so far
///
/// An estimate from one run, and low: the mixture pays for its bets in the first few differences. The rate ignores
/// differences that only prepared the test. The result is the side that arrives first; 0 for a decided test.
[[nodiscard]] outlook extrapolate(const test_progress& test, std::size_t reach);

// Claims of a body against itself show the smallest effect that a machine can detect. The input: log(time of x / time
// of y) of pairs in random order, in the order of measurement, with one body for x and y.

/// How to judge a recording of a subject against itself many times.
struct self_comparison {
    std::size_t pairs = 500;   ///< the most pairs of a stage
    std::size_t trials = 200;  ///< starts of stages, spread evenly over the recording, which starts again at its end
    sequential_settings settings{};
};

/// How often `speedup(x, y) > 1` is violated when y is slower than in the recording by `slowdown` (0.05: 5 %), as a
/// fraction of the trials. This is the rate of detection. Both stages must be violated; the second one begins half the
/// recording later.
///
/// Neighboring trials share pairs, so a fraction of 0 is weaker evidence than the number of trials suggests. Needs at
/// least ten pairs.
[[nodiscard]] double alarms_at(std::span<const double> log_ratios, double slowdown, const self_comparison& comparison);

/// The smallest slowdown that a fraction `power` of the trials finds and confirms, to within 2 % of itself. Infinite if
/// they do not even find a factor of two. A claim often holds for a slowdown within the margin.
///
///     smallest_effect(recorded, 0.95, {.pairs = 300})   // 0.012: this machine sees 1.2 % in 300 pairs
[[nodiscard]] double smallest_effect(std::span<const double> log_ratios, double power,
                                     const self_comparison& comparison);

}  // namespace perfspec::inline v0_2
