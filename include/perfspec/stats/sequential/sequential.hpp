// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/sequential/signed_rank_evidence.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace perfspec {

/// In how many fresh processes a violated claim must be found violated before it fails. With two, each stage runs at the
/// square root of the rate, because the stages are independent.
enum class stages : std::uint8_t { one, two };

/// Whether a part of the capital against the claim is staked whole on every sign. bet: half of it, which doubles with each distance beyond the
/// bound and is lost with the first one inside it. An average of two e-processes is one, so that the rate stays exact; eleven launches beyond
/// the bound decide then instead of fourteen, which matters where a launch takes ten seconds.
enum class streak : std::uint8_t { not_bet, bet };

/// What a sequential test has found so far. Not a verdict: one stage of two may say violated.
enum class decision : std::uint8_t { none, violated, holds };

/// The rates and limits of one sequential test.
struct sequential_settings {
    double margin = 0.005;         ///< how much beyond the bound is let pass, as a fraction; 0 is legal
    double false_failure = 1e-3;   ///< of the claim, over all its stages
    double false_pass = 0.05;      ///< at the bound moved by the margin
    stages confirm = stages::two;  ///< what false_failure is spread over
    std::size_t first_look = 10;   ///< no decision before so many differences
    std::size_t max_size = 2000;   ///< undecided from here on
    streak beyond = streak::not_bet;

    /// Pairs of samples in one process: the defaults.
    [[nodiscard]] static constexpr sequential_settings for_pairs() { return {}; }

    /// Pairs of single iterations, of which only the few in the tail say something about a percentile (percentile_sequential.hpp).
    [[nodiscard]] static constexpr sequential_settings for_percentile_pairs() {
        sequential_settings s;
        s.max_size = 20'000;
        return s;
    }

    /// Values of launches, or centres of launch pairs. Every one is fresh already, so that one stage carries the whole rate: seven launches to
    /// hold, eleven to fail, at least.
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

/// Where a sequential test stands, whatever it is fed with.
struct test_progress {
    decision decided = decision::none;
    std::size_t size = 0;              ///< differences that counted
    std::size_t without_evidence = 0;  ///< of them, the first ones, which only prepared the test
    double log_e_violated = 0;
    double log_e_holds = 0;
    double log_threshold_violated = 0;
    double log_threshold_holds = 0;
    sequential_settings settings{};

    /// True when max_size differences are used up without a decision.
    [[nodiscard]] bool exhausted() const noexcept { return decided == decision::none && size >= settings.max_size; }
};

/// A test that may stop at any difference: *violated* is tested at the bound, *holds* at the bound moved by the margin
/// to the lenient side. The first crossing counts, and violated is looked at first.
///
/// Fed with logarithmic distances to the bound, positive inside it: log(a / b) - log(bound) for `speedup(a, b) > bound`,
/// log(bound) - log(time) for `latency(x) < bound`. The rates are exact where the sign of every distance is a fair coin
/// at the bound (pairs in random order, launch pairs of exchangeable builds), and calibrated only for block medians.
///
///     sequential test(sequential_settings::for_pairs());
///     while (test.decided() == decision::none && !test.exhausted() && in_time()) test.add(next_pair() - log_bound);
class sequential {
public:
    static constexpr std::string_view method = "sequential e-process of signed ranks and signs, at the bound and at the margin";

    /// Throws input_error for a rate outside (0, 1), a margin that is negative or not finite, first_look of 0, or a
    /// max_size below first_look.
    explicit sequential(const sequential_settings& settings = {});

    /// Adds one distance and says what is decided now. A decision stays, and so does exhaustion: what is added after it
    /// is ignored, so that a series grown for another claim can be replayed whole. Throws input_error for a distance
    /// that is not finite.
    decision add(double distance_inside_the_bound);

    [[nodiscard]] decision decided() const noexcept { return decided_; }

    /// Distances that counted; after a decision, the number that it took.
    [[nodiscard]] std::size_t size() const noexcept { return at_bound_.size(); }

    /// True when the most distances are used up without a decision.
    [[nodiscard]] bool exhausted() const noexcept;

    /// Evidence at the bound.
    [[nodiscard]] const signed_rank_evidence& at_bound() const noexcept { return at_bound_; }

    /// The evidence against the claim that decides violated: that at the bound, averaged with the bet on a streak where the settings have one.
    [[nodiscard]] double log_e_violated() const noexcept;

    /// Evidence at the bound moved by the margin: its log_e_for decides holds.
    [[nodiscard]] const signed_rank_evidence& at_moved_bound() const noexcept { return at_moved_bound_; }

    /// What log_e_violated() must reach.
    [[nodiscard]] double log_threshold_violated() const noexcept { return log_threshold_violated_; }

    /// What at_moved_bound().log_e_for() must reach.
    [[nodiscard]] double log_threshold_holds() const noexcept { return log_threshold_holds_; }

    [[nodiscard]] const sequential_settings& settings() const noexcept { return settings_; }

    [[nodiscard]] test_progress progress() const noexcept;

private:
    [[nodiscard]] decision look() const noexcept;

    sequential_settings settings_;
    double log_threshold_violated_;
    double log_threshold_holds_;
    double log_margin_;
    signed_rank_evidence at_bound_;
    signed_rank_evidence at_moved_bound_;
    std::size_t streak_ = 0;
    bool streak_ended_ = false;
    decision decided_ = decision::none;
};

/// How many differences a test needs before it can say *violated*: so many that all lie beyond the bound, equally far. A claim whose limits allow
/// fewer cannot fail. With the defaults 10 in the first of two stages, where the first look is, 14 in one, 11 launches.
/// Throws input_error as sequential does for its rates and margin.
[[nodiscard]] std::size_t min_size_to_violate(sequential_settings settings);

/// The test of a whole series, from its first distance up to the decision or the end. Throws as sequential does.
[[nodiscard]] sequential replay(std::span<const double> distances, const sequential_settings& settings = {});

}  // namespace perfspec
