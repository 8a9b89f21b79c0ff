// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/sessions/recording_session.hpp>

#include <algorithm>
#include <iterator>

namespace perfspec {

namespace detail {

/// The launch with the median value. Precondition: there is at least one.
[[nodiscard]] inline const stored_launch& median_launch_of(const std::vector<stored_launch>& launches) {
    std::vector<const stored_launch*> sorted;
    for (const stored_launch& l : launches) sorted.push_back(&l);
    std::ranges::stable_sort(sorted, {}, [](const stored_launch* l) { return l->value; });
    return *sorted[sorted.size() / 2];
}

[[nodiscard]] inline recording_session session_of(const std::vector<stored_launch>& launches) {
    const stored_launch& newest = *std::ranges::max_element(launches, {}, &stored_launch::when);
    const stored_launch& middle = median_launch_of(launches);
    return {.mark = newest.recording_session,
            .when = newest.when,
            .commit = newest.commit,
            .run = newest.run,
            .moved_by_load = newest.moved_by_load,
            .q1 = middle.q1,
            .q3 = middle.q3,
            .p90 = middle.p90,
            .p99 = middle.p99,
            .samples = middle.samples,
            .iterations = middle.iterations,
            .values = values_of(launches)};
}

[[nodiscard]] inline const std::string& newest_time_of(const std::vector<stored_launch>& launches) {
    return std::ranges::max_element(launches, {}, &stored_launch::when)->when;
}

/// The launches grouped by session, the oldest session first.
[[nodiscard]] inline std::vector<std::vector<stored_launch>> launches_by_session(
    std::span<const stored_launch> launches) {
    std::vector<std::vector<stored_launch>> sessions;
    for (const stored_launch& l : launches) {
        const auto known = std::ranges::find_if(
            sessions, [&](const auto& s) { return s.front().recording_session == l.recording_session; });
        if (known == sessions.end()) sessions.push_back({l});
        else known->push_back(l);
    }
    std::ranges::stable_sort(sessions, {}, newest_time_of);
    return sessions;
}

/// The last elements, at most `maximum`.
template <class T> [[nodiscard]] std::span<const T> last_of(const std::vector<T>& all, std::size_t maximum) {
    return std::span(all).last(std::min(all.size(), maximum));
}

}  // namespace detail

std::vector<recording_session> sessions_of(std::span<const stored_launch> launches) {
    std::vector<recording_session> sessions;
    for (const auto& of_session : detail::launches_by_session(launches))
        sessions.push_back(detail::session_of(of_session));
    return sessions;
}

std::vector<stored_launch> launches_in(const recording_session& session) {
    std::vector<stored_launch> launches;
    for (const double value : session.values)
        launches.push_back({.value = value,
                            .q1 = session.q1,
                            .q3 = session.q3,
                            .p90 = session.p90,
                            .p99 = session.p99,
                            .samples = session.samples,
                            .iterations = session.iterations,
                            .when = session.when,
                            .commit = session.commit,
                            .run = session.run,
                            .recording_session = session.mark,
                            .moved_by_load = session.moved_by_load});
    return launches;
}

std::vector<stored_launch> newest_launches(std::span<const stored_launch> launches) {
    std::vector<stored_launch> kept;
    const auto sessions = detail::launches_by_session(launches);
    for (const auto& session : detail::last_of(sessions, baseline_entry::max_sessions))
        std::ranges::copy(detail::last_of(session, baseline_entry::max_launches_of_session), std::back_inserter(kept));
    return kept;
}

}  // namespace perfspec
