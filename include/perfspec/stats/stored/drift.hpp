// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <span>

namespace perfspec {

/// How far a machine may drift from the stored recording sessions to a new one, as a fraction: 0.1 is 10 %.
///
/// Launches of one session are exchangeable, launches of two are not: the machine has another temperature, other
/// neighbours, its memory elsewhere. The allowance is the upper limit of a prediction interval for the centre of one
/// more session; `rate` is how often it may be exceeded. Let s sessions have centres (logarithms) of variance v, and q
/// = 1 - rate:
///
///     s0 = log(1 + usual) / (t(q, 3) sqrt(2))                    so that one session has the usual allowance
///     w  = (3 s0^2 + (s - 1) v) / (3 + s - 1)                    the variance, with the usual one counted as three
///     sessions more allowance = exp(t(q, 3 + s - 1) sqrt(w (1 + 1 / s))) - 1   t(q, f): quantile of Student's
///     distribution
///
/// Smyth, Statistical Applications in Genetics and Molecular Biology 3 (2004), section 3, weighs a variance of few
/// degrees of freedom with a usual one in this way. For the prediction interval see any text on the t distribution. One
/// or two sessions have the usual allowance, or more where the two differ by more.
///
/// log_centres  the logarithm of the median launch of each session, any number
/// usual        the option `drift`; 0 allows nothing, however many sessions there are
/// rate         how often a new session may be further away
/// Throws input_error for no session, a centre that is not finite, a negative usual drift, or a rate that is not a
/// probability.
///
///     drift_allowance(centres_of_five_sessions_that_differ_by_half_a_percent, 0.10, 0.001)   // 0.026
[[nodiscard]] double drift_allowance(std::span<const double> log_centres, double usual, double rate);

}  // namespace perfspec
