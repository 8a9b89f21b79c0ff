// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/evidence.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace perfspec {

/// The side of the bound on which a claim says that the value is: less for times, more for rates and speedups.
enum class direction : std::uint8_t { less, more };

/// In how many fresh processes a violated claim must be found violated before it fails. With two, each stage runs at
/// the square root of the rate, because the stages are independent.
enum class stages : std::uint8_t { one, two };

/// Whether half of the capital against the claim is staked whole on every sign: it doubles with each distance beyond
/// the bound, and is lost with the first one inside. An average of two e-processes is an e-process, so the rate stays
/// exact. Eleven launches beyond the bound then decide instead of fourteen.
enum class streak : std::uint8_t { not_bet, bet };

/// The decision of a test so far. Not a verdict: one stage of two may say violated.
enum class decision : std::uint8_t { none, violated, holds };

/// The rates and limits of one sequential test.
struct sequential_settings {
    double margin = 0.005;         ///< how far beyond the bound is tolerated, as a fraction; 0 is legal
    double false_failure = 1e-3;   ///< of the claim, over all its stages
    double false_pass = 0.05;      ///< at the bound moved by the margin
    stages confirm = stages::two;  ///< the stages that share false_failure
    std::size_t first_look = 10;   ///< no decision before this many differences
    std::size_t max_size = 2000;   ///< no decision after this many differences
    streak beyond = streak::not_bet;

    /// Pairs of samples in one process: the defaults.
    [[nodiscard]] static constexpr sequential_settings for_pairs() { return {}; }

    /// Pairs of single iterations. Only the few in the tail say something about a percentile.
    [[nodiscard]] static constexpr sequential_settings for_percentile_pairs() {
        sequential_settings s;
        s.max_size = 20'000;
        return s;
    }

    /// Values of launches, or centres of launch pairs. Each is already from a fresh process, so one stage carries the
    /// whole rate. It takes at least seven launches to hold, and eleven to fail.
    [[nodiscard]] static constexpr sequential_settings for_launch_centres() {
        sequential_settings s;
        s.confirm = stages::one;
        s.first_look = 7;
        s.max_size = 20;
        s.beyond = streak::bet;
        return s;
    }

    friend bool operator==(const sequential_settings&, const sequential_settings&) = default;
};

/// The state of a sequential test, whatever its input is.
struct test_progress {
    decision decided = decision::none;
    std::size_t size = 0;              ///< differences that counted
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

/// A test without differences. Throws input_error for a rate outside (0, 1), a margin that is negative or not finite,
/// first_look of 0, or a max_size below first_look.
[[nodiscard]] test_progress start_of(const sequential_settings& settings);

/// The decision by the size and the evidence so far. Looks at violated first.
[[nodiscard]] decision look(const test_progress& test) noexcept;

}  // namespace detail

/// A test that may stop at any difference. *violated* is tested at the bound, and *holds* at the bound moved by the
/// margin to the lenient side. The first crossing counts, and violated is checked first.
///
/// Its input is logarithmic distances to the bound, positive inside it: log(a / b) - log(bound) for `speedup(a, b) >
/// bound`, log(bound) - log(time) for `latency(x) < bound`. The rates are exact if the sign of every distance is a
/// fair coin at the bound (pairs in random order, launch pairs of exchangeable builds). For block medians they are only
/// calibrated.
///
///     sequential test(sequential_settings::for_pairs());
///     while (test.is_open() && in_time()) test.add(next_pair() - log_bound);
class sequential {
public:
    static constexpr std::string_view method =
        "sequential e-process of signed ranks and signs, at the bound and at the margin";

    /// Throws input_error for settings as `start_of` does.
    explicit sequential(const sequential_settings& settings = {});

    /// Adds one distance and returns the decision so far. Ignores distances after a decision or the last one.
    /// Throws input_error for a distance that is not finite.
    decision add(double distance_inside_the_bound);

    [[nodiscard]] decision decided() const noexcept { return progress_.decided; }

    /// Distances that counted; after a decision, the number that it took.
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
/// launches. Throws input_error as sequential does for its rates and margin.
[[nodiscard]] std::size_t min_size_to_violate(sequential_settings settings);

/// What an undecided test is likely to decide.
struct outlook {
    decision toward = decision::none;  ///< none: more differences will not decide the test within reach
    std::size_t further = 0;           ///< differences still needed at the present rate; 0 if `toward` is none
};

/// How many more differences a test needs if the logarithm of its e-value continues to grow at the rate so far.
///
/// reach  how many differences there can be at all, including those so far
///
/// An estimate from one run, and on the low side: the price of mixing bets is paid in the first few differences.
/// Differences that only prepared the test do not count in the rate. Of two sides that grow, it names the one that
/// arrives first. A decided test needs 0 more.
[[nodiscard]] outlook extrapolate(const test_progress& test, std::size_t reach);

}  // namespace perfspec
