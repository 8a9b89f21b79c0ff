// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/stored_process.hpp>
#include <perfspec/stats/rank_test.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace perfspec::inline v0_2 {

/// The stored measurements of a key that a claim is compared with, and what they show about the machine.
struct comparable_processes {
    std::vector<double> values{};  ///< relative values, at most stored_rank_test::max_stored
    std::size_t sessions = 0;      ///< sessions at least half an hour apart
    double drift =
        0;  ///< how far beyond its bound a value must be, as a fraction: as far as the machine may drift before
            ///< a new session (stats/rank_test.hpp)
    double spread = 0;        ///< the widest spread of the processes in a session, a fraction
    double processor_ns = 0;  ///< the median work in an iteration of the sessions that know it; 0: unknown

    /// Whether the processes spread by more than max_spread_to_record. A change that the spread
    /// can explain then fails no test (explained_by_spread).
    [[nodiscard]] bool is_noisy() const noexcept;
};

/// The smallest change beyond the bound that claims on these measurements detect, as a fraction (detectable_change).
/// Infinite if claims do not even detect a factor of ten. nullopt for too few measurements, or counts of 0.
[[nodiscard]] std::optional<double> detectable_by(const comparable_processes& stored, direction claimed);

/// The options about drift.
struct drift_settings {
    std::optional<double> given{};  ///< the option `drift`; nullopt: from sessions and usual_drift
    double rate = 0.001;            ///< the probability that a new session drifts further
};

/// How far metrics in a unit usually drift between recording sessions, as a fraction.
/// Times and rates drift by 10 %, because they depend on the speed of the machine; ratios, counts and others by 3 %.
[[nodiscard]] double usual_drift(std::string_view unit);

/// The measurements of an entry to compare with. Skips sessions with a wide spread if the others have enough of them.
/// If there are more than the rank test takes, it takes the newest of each session in turn.
///
/// processes  of one entry, in its unit, positive if the unit requires it
[[nodiscard]] comparable_processes comparable_processes_of(std::span<const stored_process> processes,
                                                           std::string_view unit, const drift_settings& settings = {});

/// Measurements recorded one after the other, in the form of the files. Only the values are stored for each process.
/// Quantiles and numbers of samples are from the process with the median value; time, commit and run from the newest
/// one. The `value` has no meaning.
struct stored_session : stored_process {
    std::vector<double> values{};  ///< of each process, the oldest first

    friend bool operator==(const stored_session&, const stored_session&) = default;
};

/// Groups measurements into sessions, the oldest first.
[[nodiscard]] std::vector<stored_session> sessions_of(std::span<const stored_process> processes);

/// The measurements of a session. They differ only in their values.
[[nodiscard]] std::vector<stored_process> processes_in(const stored_session& session);

/// The newest measurements, as many as an entry keeps: at most max_processes_of_session each of the newest
/// max_sessions sessions (baseline_entry).
[[nodiscard]] std::vector<stored_process> newest_processes(std::span<const stored_process> processes);

}  // namespace perfspec::inline v0_2
