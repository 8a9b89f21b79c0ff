// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/sequential.hpp>

#include <span>

// What a baseline allows for, and what it detects.

namespace perfspec {

/// How far a machine may drift from the stored recording sessions to a new one, as a fraction: 0.1 is 10 %.
///
/// Launches of one session are exchangeable, launches of two are not: the machine has another temperature, other
/// neighbours, its memory elsewhere. The allowance is the upper limit of a prediction interval for the centre of one
/// more session. Let s sessions have centres (logarithms) of variance v, and q = 1 - rate:
///
///     s0 = log(1 + usual) / (t(q, 3) sqrt(2))         so that one session has the usual allowance
///     w  = (3 s0^2 + (s - 1) v) / (3 + s - 1)         the variance; the usual one counts as three sessions more
///     allowance = exp(t(q, 3 + s - 1) sqrt(w (1 + 1 / s))) - 1      t(q, f): quantile of Student's distribution
///
/// One or two sessions have the usual allowance, or more if the two differ by more. Source: Smyth, Statistical
/// Applications in Genetics and Molecular Biology 3 (2004), section 3, for the variance; any text on the t distribution
/// for the prediction interval.
///
/// log_centres  the logarithm of the median launch of each session, any number
/// usual        the option `drift`; 0 allows nothing, however many sessions there are
/// rate         how often a new session may be further away
/// Throws input_error for no session, a centre that is not finite, a negative usual drift, or a rate that is not a
/// probability.
///
///     drift_allowance(centres_of_five_sessions_that_differ_by_half_a_percent, 0.10, 0.001)   // 0.026
[[nodiscard]] double drift_allowance(std::span<const double> log_centres, double usual, double rate);

/// The smallest change beyond the bound, as a fraction, that a claim on these launches finds in nine of ten runs. 0.09
/// is 9 % more of a time, or 9 % less of a rate. Infinite if not even ten times as much is found.
///
/// It is found by replay, which is a bootstrap (Efron and Tibshirani, An Introduction to the Bootstrap, chapter 6).
/// Each of two hundred runs draws twenty fresh launches from the stored ones, always the same draws, moves them by the
/// change, and gives them to the rank test with the allowance. The result applies to a run that has time for twenty
/// launches, on a machine as quiet as during recording.
///
/// launches   ten to forty values that a claim is compared with, positive
/// allowance  for drift and load, as a fraction
/// Throws input_error as stored_rank_test does.
///
///     detectable_change(forty_launches_that_spread_by_one_percent, direction::less, 0.0)   // 0.012
[[nodiscard]] double detectable_change(std::span<const double> launches, direction claimed, double allowance);

}  // namespace perfspec
