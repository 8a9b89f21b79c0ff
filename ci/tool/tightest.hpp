// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/stored/stored_rank_test.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace perfspec::tool {

/// What becomes of a claim on `baseline()` while nothing changes, as shares of the runs that were replayed.
struct claim_chances {
    double violated = 0;
    double holds = 0;
};

/// So many runs are replayed for each bound and recording session.
inline constexpr std::size_t replayed_runs = 2000;

/// What a claim is compared with, and what its launches may drift.
struct stored_side {
    std::span<const double> launches;  ///< ten to forty
    double allowance = 0;              ///< as a fraction
    direction claimed = direction::less;
};

/// The chances of `x < factor * baseline()` (direction::more: `>`) for runs whose twenty fresh launches are drawn, each independently and the same in
/// every call, from the given ones: as the rank test decides them.
///
/// Precondition: `fresh` is not empty. Throws as stored_rank_test does.
[[nodiscard]] claim_chances chances_of(const stored_side& stored, std::span<const double> fresh, double factor);

/// A bound that launches like the stored ones support.
struct tight_bound {
    double factor = 1;
    claim_chances chances{};  ///< of the recording session where each is worst
};

/// How often a claim at the suggested bound holds, at least, while nothing changes; else it would often be undecided.
inline constexpr double suggested_to_hold = 0.95;

/// The factor closest to 1, in steps of 0.01, at which unchanged code is violated at most at the given rate and holds at least as often as
/// `suggested_to_hold`, whichever recording session the next run is like: a run is one, and its launches drift together. Nothing up to 2 (down
/// to 0.5) where the launches spread too much.
///
/// sessions: the stored launches, those that were recorded one after the other together. Preconditions: at least two, none empty; what one knows of
/// the next is nothing.
[[nodiscard]] std::optional<tight_bound> tightest_bound(const stored_side& stored, std::span<const std::vector<double>> sessions,
                                                        double false_failure);

}  // namespace perfspec::tool
