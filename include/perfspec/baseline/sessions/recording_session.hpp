// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/stored_launch.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace perfspec {

/// Launches that were recorded one after the other. A file holds sessions; what is not a value is one for all of its launches there.
struct recording_session {
    std::string mark{};                       ///< that its launches share; empty in files of schema version 1 that have none
    std::string when{};                       ///< the newest launch's time
    std::string commit{};                     ///< of the newest launch
    std::string run{};                        ///< of the newest launch
    std::optional<double> moved_by_load{};    ///< as a fraction, see stored_launch
    double q1 = 0, q3 = 0, p90 = 0, p99 = 0;  ///< of samples: the median launch's
    std::size_t samples = 1;                  ///< the median launch's
    std::size_t iterations = 1;               ///< the median launch's
    std::vector<double> values{};             ///< of the launches, the oldest first

    friend bool operator==(const recording_session&, const recording_session&) = default;
};

/// The sessions of launches, the oldest first.
[[nodiscard]] std::vector<recording_session> sessions_of(std::span<const stored_launch> launches);

/// The launches of a session, as far as it tells them apart.
[[nodiscard]] std::vector<stored_launch> launches_in(const recording_session& session);

/// The newest launches that an entry keeps: at most baseline_entry::max_launches_of_session of each of the newest baseline_entry::max_sessions.
[[nodiscard]] std::vector<stored_launch> newest_launches(std::span<const stored_launch> launches);

}  // namespace perfspec
