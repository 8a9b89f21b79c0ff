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

/// Launches recorded one after the other. A file holds sessions, and a session keeps only the values of the single
/// launches: the other members are the same for all of them.
struct recording_session {
    std::string mark{};    ///< shared by the launches of the session; empty where a file of schema version 1 has none
    std::string when{};    ///< the time of the newest launch
    std::string commit{};  ///< of the newest launch
    std::string run{};     ///< of the newest launch
    std::optional<double> moved_by_load{};    ///< a fraction, see stored_launch
    double q1 = 0, q3 = 0, p90 = 0, p99 = 0;  ///< quantiles of the samples of the median launch
    std::size_t samples = 1;                  ///< of the median launch
    std::size_t iterations = 1;               ///< per sample, of the median launch
    std::vector<double> values{};             ///< the launches' values, the oldest first

    friend bool operator==(const recording_session&, const recording_session&) = default;
};

/// Groups launches into sessions, the oldest first.
[[nodiscard]] std::vector<recording_session> sessions_of(std::span<const stored_launch> launches);

/// The launches of a session. They differ only in their values.
[[nodiscard]] std::vector<stored_launch> launches_in(const recording_session& session);

/// The newest launches, as many as an entry keeps: at most max_launches_of_session each of the newest
/// max_sessions sessions (baseline_entry).
[[nodiscard]] std::vector<stored_launch> newest_launches(std::span<const stored_launch> launches);

}  // namespace perfspec
