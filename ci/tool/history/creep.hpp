// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "history.hpp"

#include <optional>
#include <span>
#include <vector>

namespace perfspec::tool {

/// How much a key has become worse since the beginning of its history.
struct creep {
    double before{};    ///< the first baseline, or else the median of the first five values
    double now{};       ///< the median of the last five values
    double change{};    ///< now / before - 1
    double evidence{};  ///< evidence_of_rise
};

/// Evidence that values tend to be larger than those before them: a game that is fair if all orders of the values are equally likely, and
/// that a player begins with 1. It needs no distribution and no scale, and one may look after each value.
///
/// Let p be the share of the values so far that are at least as large as the newest. The game pays p^(e - 1), divided by its mean over all
/// ranks, for e = 0.1, 0.2 … 0.9. The evidence is the mean of these nine products. Ties make it smaller.
/// Ville's inequality: for exchangeable values it ever reaches 1 / a with probability a at most. Values that depend on each other, as those
/// of a machine that has slow weeks, are not exchangeable.
///
/// values  finite, in the order of measurement; fewer than five are no evidence (1)
///
/// Source: Vovk, Nouretdinov and Gammerman, "Testing exchangeability on-line", ICML 2003, section 4 (power martingale).
///
///     evidence_of_rise({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}) is about 44
[[nodiscard]] double evidence_of_rise(std::span<const double> values);

/// Which of several alternatives to believe, so that on average at most this share of those that are believed are false, however they depend
/// on each other. It believes the k largest of n where each of them is at least n / (k share), for the largest such k.
///
/// Source: Wang and Ramdas, "False discovery rate control with e-values", JRSS B 84 (2022), the e-BH procedure.
[[nodiscard]] std::vector<bool> discoveries(std::span<const double> evidence, double false_share);

/// The share of the keys named by `find_creep` that may be named by chance.
inline constexpr double false_share_of_creep = 0.05;
/// A smaller change is not worth a word.
inline constexpr double least_creep = 0.02;

/// For each key, how much it has become worse; nothing where that may be chance, is less than 2 %, or where there are too few values.
/// Values of *invalid* results do not count.
[[nodiscard]] std::vector<std::optional<creep>> find_creep(std::span<const key_history> keys);

}  // namespace perfspec::tool
