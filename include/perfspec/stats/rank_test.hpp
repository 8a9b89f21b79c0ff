// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/sequential.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

// Drift, detectable changes, and the test against stored measurements.

namespace perfspec::inline v0_2 {

/// How far a machine may drift from the stored recording sessions to a new one, as a fraction: 0.1 is 10 %.
///
/// Processes of one session are exchangeable, processes of two are not: the machine has another temperature, other
/// neighbors, its memory elsewhere. The allowance is the upper limit of a prediction interval for the center of one
/// more session. Let s sessions have centers (logarithms) of variance v, and q = 1 - rate:
///
///     s0 = log(1 + usual) / (t(q, 3) sqrt(2))         so that one session has the usual allowance
///     w  = (3 s0^2 + (s - 1) v) / (3 + s - 1)         the variance; the usual one counts as three sessions more
///     allowance = exp(t(q, 3 + s - 1) sqrt(w (1 + 1 / s))) - 1      t(q, f): quantile of Student's distribution
///
/// One or two sessions have the usual allowance, or more if the two differ by more. Source: Smyth, Statistical
/// Applications in Genetics and Molecular Biology 3 (2004), section 3, for the variance; any text on the t distribution
/// for the prediction interval.
///
/// log_centers  the logarithm of the median process of each session, any number
/// usual        the allowance of a single session, as a fraction: 0.10 is 10 % of a time
/// rate         how often a new session may be further away
/// Throws input_error for no session, or a center that is not finite.
///
///     drift_allowance(centers_of_five_sessions_that_differ_by_half_a_percent, 0.10, 0.001)   // 0.026
[[nodiscard]] double drift_allowance(std::span<const double> log_centers, double usual, double rate);

/// The smallest change beyond the bound, as a fraction, that a claim on these processes finds in nine of ten runs. 0.09
/// is 9 % more of a time, or 9 % less of a rate. Infinite if it does not even find a factor of ten.
///
/// The method is a bootstrap (Efron and Tibshirani, An Introduction to the Bootstrap, chapter 6). Each of two hundred
/// runs draws twenty fresh processes from the stored ones, always the same draws, moves them by the change, and gives
/// them to the rank test with the allowance. The result applies to a run that has time for twenty processes, on a
/// machine as quiet as during recording.
///
/// processes   ten to forty values that a claim is compared with, positive
/// allowance  for drift and load, as a fraction
/// Throws input_error as stored_rank_test does.
///
///     detectable_change(forty_processes_that_spread_by_one_percent, direction::less, 0.0)   // 0.012
[[nodiscard]] double detectable_change(std::span<const double> processes, direction claimed, double allowance);

/// How often the test may be wrong if stored and fresh processes are exchangeable: for `violated` at the bound, for
/// `holds` at the bound moved by the margin.
struct stored_rank_rates {
    double violated = 0.001;
    double holds = 0.05;
};

/// A look after this many fresh processes. The test decides if a rank sum is at most its limit. A limit of -1: this
/// decision is not possible at this look.
struct stored_rank_look {
    std::size_t processes;
    std::int64_t violated;
    std::int64_t holds;
};

namespace detail {

/// The exact distribution of the rank sum U of fresh values against stored ones, if all of them are exchangeable: how
/// many of all orders have U = 0, 1, … U is the number of pairs of a stored and a fresh value in which the stored one
/// is larger.
///
/// stored, fresh  at most 40 and 20, so that the counts are whole numbers up to 4e15
/// Source: the coefficients of the Gaussian binomial coefficient of stored + fresh over fresh in q (Mann & Whitney,
/// Annals of Mathematical Statistics 18, 1947).
///
///     rank_sum_counts(10, 5)     // 1, 1, 2, 3, …: 3003 orders
[[nodiscard]] std::vector<std::uint64_t> rank_sum_counts(std::size_t stored, std::size_t fresh);

/// The largest u with P(U <= u) at most a rate, and that probability; -1 and 0 if even U = 0 is more probable.
struct rank_sum_limit {
    std::int64_t u = -1;
    double probability = 0;
};
[[nodiscard]] rank_sum_limit largest_sum_within(std::span<const std::uint64_t> counts, double rate);

/// The looks of a test against `stored` processes, and their limits. Each look has a share of the rates. The next look
/// gets the unused rest of a share.
[[nodiscard]] std::vector<stored_rank_look> stored_rank_looks(std::size_t stored, stored_rank_rates rates);

}  // namespace detail

/// Exact rank test of up to twenty fresh processes against ten to forty stored ones.
///
/// Only ranks count, so `1.05 * baseline()` and `baseline() + 2ms` are the same test: the caller applies the claim's
/// increasing function to every stored value. The rank sum U at the bound decides *violated* after the fifth, tenth and
/// twentieth fresh process. The rank sum V at the bound moved by the margin decides *holds* after the second, third,
/// fifth, tenth and twentieth. Violated is checked first. All looks together are at most the rate (union bound), at
/// whichever process the caller stops.
///
///     stored_rank_test test(bounds, direction::less);       // 1.05 * each stored median
///     while (test.is_open()) test.add(median_of_a_fresh_process());
class stored_rank_test {
public:
    static constexpr std::string_view method = "exact rank test of fresh processes against stored ones";
    static constexpr std::size_t min_stored = 10;
    static constexpr std::size_t max_stored = 40;
    static constexpr std::size_t max_processes = 20;

    /// Whether this many stored measurements can be judged: ten to forty. Otherwise the claim is an *error*.
    [[nodiscard]] static constexpr bool can_judge(std::size_t stored) noexcept {
        return stored >= min_stored && stored <= max_stored;
    }

    /// bounds  the claim's function of each stored measurement, in the unit of the new ones, in any order
    /// margin  as a fraction of the new process's value
    /// Throws input_error if can_judge is false, or for a bound that is not finite.
    stored_rank_test(std::span<const double> bounds, direction claimed, double margin = 0.005,
                     stored_rank_rates rates = {});

    /// The value of the next fresh process. Ignores values after a decision, or after the twentieth.
    /// Throws input_error for a value that is negative or not finite.
    decision add(double process);

    [[nodiscard]] decision decided() const noexcept { return decided_; }

    /// The number of processes that count.
    [[nodiscard]] std::size_t size() const noexcept { return processes_; }

    /// Whether more processes may decide it.
    [[nodiscard]] bool is_open() const noexcept { return decided_ == decision::none && processes_ < max_processes; }

    /// The fewest processes for *violated*; more than max_processes if no number suffices.
    [[nodiscard]] std::size_t processes_to_violate() const noexcept;

    /// The number of stored bounds that a fresh process keeps, summed over the processes; ties count a half. A small
    /// sum decides *violated*.
    [[nodiscard]] double u() const noexcept { return u_; }

    /// The number of stored bounds that a fresh process exceeds even with the margin, summed likewise. A small sum
    /// decides *holds*.
    [[nodiscard]] double v() const noexcept { return v_; }

private:
    [[nodiscard]] decision look() const noexcept;

    std::vector<double> bounds_;
    direction claimed_;
    double margin_;
    std::vector<stored_rank_look> looks_;
    double u_ = 0;
    double v_ = 0;
    std::size_t processes_ = 0;
    decision decided_ = decision::none;
};

/// The rank test of processes on a machine that drifts between recording sessions. It says *holds* at the bounds, but
/// *violated* only beyond the bounds and an allowance. Processes between the two stay undecided.
///
/// Its rate of false failures is that of the rank test as long as the machine has drifted by no more than the
/// allowance. The rate of `drift_allowance` adds to it.
///
///     drifting_rank_test test(bounds, direction::less, 0.10);
///     while (test.is_open()) test.add(median_of_a_fresh_process());
class drifting_rank_test {
public:
    /// allowance  a fraction, 0 or more; the other parameters and the errors are those of stored_rank_test
    drifting_rank_test(std::span<const double> bounds, direction claimed, double allowance, double margin = 0.005,
                       stored_rank_rates rates = {});

    /// The value of the next fresh process.
    decision add(double process);

    [[nodiscard]] decision decided() const noexcept;

    /// Whether more processes may change the decision.
    [[nodiscard]] bool is_open() const noexcept;

    /// Whether the processes are beyond the bound, even if a drift could explain it.
    [[nodiscard]] bool is_beyond_bound() const noexcept { return at_bound_.decided() == decision::violated; }

    [[nodiscard]] std::size_t size() const noexcept { return processes_; }
    [[nodiscard]] std::size_t processes_to_violate() const noexcept { return beyond_.processes_to_violate(); }

private:
    stored_rank_test at_bound_;
    stored_rank_test beyond_;
    std::size_t processes_ = 0;
};

}  // namespace perfspec::inline v0_2
