// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/stored/stored_rank_test.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace perfspec::tool {

/// The chances of a claim on `baseline()` while nothing changes, as fractions of replayed runs.
struct claim_chances {
    double violated = 0;
    double holds = 0;
};

/// How many runs are replayed for each bound and recording session.
inline constexpr std::size_t replayed_runs = 2000;

/// The stored launches that a claim is compared with, and the allowance for their drift.
struct stored_side {
    std::span<const double> launches;  ///< ten to forty values
    double allowance = 0;              ///< as a fraction
    direction claimed = direction::less;
};

/// The chances of `x < factor * baseline()` (direction::more: `>`), decided by the rank test. For each run, twenty fresh launches are drawn
/// from `fresh`, each independently. The draws are the same in every call.
///
/// Precondition: `fresh` is not empty. Throws as stored_rank_test does.
[[nodiscard]] claim_chances chances_of(const stored_side& stored, std::span<const double> fresh, double factor);

/// A bound that launches like the stored ones support.
struct tight_bound {
    double factor = 1;
    claim_chances chances{};  ///< the worst chance of all recording sessions, for each verdict
};

/// How often a claim at the suggested bound must hold while nothing changes. At a lower rate it would often be undecided.
inline constexpr double suggested_to_hold = 0.95;

/// The factor closest to 1, in steps of 0.01, for which unchanged code is violated at most at the given rate. The claim must also hold at
/// least as often as `suggested_to_hold`. Both must be true for each recording session: the launches of a run drift together, and the next
/// run may be like any of them. Nothing where no factor up to 2 (down to 0.5) does, because the launches spread too much.
///
/// sessions  the stored launches, by recording session. Preconditions: at least two sessions, and none is empty.
///           One session alone shows nothing about the next one.
[[nodiscard]] std::optional<tight_bound> tightest_bound(const stored_side& stored, std::span<const std::vector<double>> sessions,
                                                        double false_failure);

}  // namespace perfspec::tool
