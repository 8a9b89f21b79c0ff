// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/stored_launch.hpp>
#include <perfspec/stats/stored/stored_rank_test.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace perfspec {

/// What a claim may be compared with, out of all launches that are stored for its key.
struct comparable_launches {
    std::vector<double> values{};  ///< relative values (stored_launch.hpp) of at most stored_rank_test::max_stored launches
    std::size_t sessions = 0;      ///< that were recorded half an hour or more apart
    double drift = 0;              ///< how far the machine may drift to a new session, a fraction (stats/stored/drift.hpp)
    double moved_by_load = 0;      ///< how far a load moved the median session, a fraction; 0 where that was little, or was not tried
    double spread = 0;             ///< of the launches of a session, the widest one's, a fraction

    /// How far beyond its bound a claim has to be before the test fails, as a fraction.
    [[nodiscard]] double allowance() const noexcept { return (1 + drift) * (1 + moved_by_load) - 1; }

    /// Whether the launches spread so much that they never fail a test by themselves (largest_spread_to_record).
    [[nodiscard]] bool is_noisy() const noexcept;
};

/// The smallest change beyond the bound that claims on these launches detect, as a fraction (detectable_change); infinite where even ten times as much is not
/// found. Nothing where they do not tell: too few launches, or counts of 0.
[[nodiscard]] std::optional<double> detectable_by(const comparable_launches& stored, direction claimed);

/// What the options say about drift.
struct drift_settings {
    std::optional<double>
        given{};  ///< the option `drift`: so much, whatever the sessions show; else they show it, beginning with usual_drift of the unit
    double rate = 0.001;  ///< at which a new session may drift further
};

/// How far the metrics of a unit usually drift between recording sessions: 10 % of times and rates, which depend on the speed of the machine, 3 % of
/// ratios, counts and others.
[[nodiscard]] double usual_drift(std::string_view unit);

/// A load that moves the median by more makes a baseline sensitive to load.
inline constexpr double largest_move_by_load = 0.05;

/// The relative values of the launches of each session that claims compare with, the oldest session first: all of them, without a limit to their number.
[[nodiscard]] std::vector<std::vector<double>> sessions_to_compare(std::span<const stored_launch> launches, std::string_view unit);

/// The launches of an entry to compare with: those of sessions without a wide spread, where they are enough, else all. Of more than the rank test
/// takes, each session gives as many, its newest.
///
/// launches  of one entry, in its unit, positive where the unit says so
[[nodiscard]] comparable_launches what_to_compare(std::span<const stored_launch> launches, std::string_view unit,
                                                  const drift_settings& settings = {});

}  // namespace perfspec
