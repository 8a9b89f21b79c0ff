// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/stored_rank_test.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace perfspec::tool {

/// What becomes of a claim on `baseline()` while nothing changes.
struct claim_chances {
    double violated = 0;
    double holds = 0;
};

/// The chances of `x < factor * baseline()` (direction::more: `>`) for fresh launches that are drawn, each independently, from the given ones:
/// every sequence of five is counted, exactly as stored_rank_test decides it.
///
/// Precondition: stored_rank_test::can_judge(stored.size()), and `fresh` is not empty. Throws as stored_rank_test does.
[[nodiscard]] claim_chances chances_of(std::span<const double> stored, std::span<const double> fresh, double factor, direction claimed,
                                       double margin);

/// A bound that launches like the stored ones support.
struct tight_bound {
    double factor = 1;
    claim_chances chances{};          ///< of the recording session where each is worst
    std::size_t launches_of_worst{};  ///< in the recording session that is violated most often; of several alike, in the smallest
};

/// How often a claim at the suggested bound holds, at least, while nothing changes; else it would often be undecided.
inline constexpr double suggested_to_hold = 0.95;

/// The factor closest to 1, in steps of 0.01, at which unchanged code is violated at most at the given rate and holds at least as often as
/// `suggested_to_hold`, whichever recording session the next run is like: a run is one, and its launches drift together. Nothing up to 2 (down
/// to 0.5) where the launches spread too much.
///
/// recordings: all stored launches, those that were taken one after the other together. Preconditions: at least two recording sessions, none empty; what
/// one knows of the next is nothing.
[[nodiscard]] std::optional<tight_bound> tightest_bound(std::span<const std::vector<double>> recordings, direction claimed,
                                                        double false_failure, double margin = 0.005);

}  // namespace perfspec::tool
