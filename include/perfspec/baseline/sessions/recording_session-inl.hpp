// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/sessions/recording_session.hpp>
#include <perfspec/baseline/update_rule.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/rank_test.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace perfspec::inline v0_2 {

namespace detail {

/// A recording session with its relative values.
struct relative_session {
    stored_session of{};
    std::vector<double> values{};
    double spread = 0;

    [[nodiscard]] bool is_noisy() const noexcept { return spread > max_spread_to_record; }
};

[[nodiscard]] inline std::vector<relative_session> relative_sessions(std::span<const stored_process> processes,
                                                                     std::string_view unit) {
    std::vector<relative_session> sessions;
    for (stored_session& session : sessions_of(processes)) {
        const auto its_processes = processes_in(session);
        sessions.push_back({std::move(session), relative_values_of(its_processes, unit),
                            spread_between(its_processes, unit).fraction});
    }
    return sessions;
}

/// Removes the noisy sessions if the other sessions have enough measurements for the rank test.
inline void remove_noisy(std::vector<relative_session>& sessions) {
    std::size_t quiet = 0;
    for (const relative_session& s : sessions) quiet += s.is_noisy() ? 0 : s.values.size();
    if (quiet >= stored_rank_test::min_stored)
        std::erase_if(sessions, [](const relative_session& s) { return s.is_noisy(); });
}

/// The newest measurement of each session, then the one before it in each, and so on, up to the maximum of the rank
/// test.
[[nodiscard]] inline std::vector<double> newest_of_each(const std::vector<relative_session>& sessions) {
    std::vector<double> values;
    std::size_t longest = 0;
    for (const relative_session& s : sessions) longest = std::max(longest, s.values.size());
    for (std::size_t back = 1; back <= longest; ++back)
        for (auto s = sessions.rbegin(); s != sessions.rend(); ++s)
            if (back <= s->values.size() && values.size() < stored_rank_test::max_stored)
                values.push_back(s->values[s->values.size() - back]);
    return values;
}

/// The logarithms of the sessions' medians. Sessions less than half an hour apart count as one: the machine has not
/// changed much by then.
[[nodiscard]] inline std::vector<double> log_centers_of(const std::vector<relative_session>& sessions) {
    constexpr std::int64_t separation_seconds = 1800;
    std::vector<std::vector<double>> groups;
    std::optional<std::int64_t> before;
    for (const relative_session& s : sessions) {
        const std::optional<std::int64_t> when = seconds_of_utc(s.of.time);
        const bool follows = !groups.empty() && before && when && *when - *before < separation_seconds;
        if (!follows) groups.emplace_back();
        groups.back().insert(groups.back().end(), s.values.begin(), s.values.end());
        before = when;
    }
    std::vector<double> centers;
    for (const std::vector<double>& values : groups) centers.push_back(std::log(median(values)));
    return centers;
}

/// The median work in an iteration of the sessions that know it; otherwise 0.
[[nodiscard]] inline double processor_ns_of(const std::vector<relative_session>& sessions) {
    std::vector<double> known;
    for (const relative_session& s : sessions)
        if (s.of.processor_ns > 0.0) known.push_back(s.of.processor_ns);
    return known.empty() ? 0.0 : median(known);
}

}  // namespace detail

bool comparable_processes::is_noisy() const noexcept { return spread > max_spread_to_record; }

std::optional<double> detectable_by(const comparable_processes& stored, direction claimed) {
    const bool are_positive = std::ranges::all_of(stored.values, [](double v) { return v > 0.0; });
    if (!stored_rank_test::can_judge(stored.values.size()) || !are_positive) return {};
    const double change = detectable_change(stored.values, claimed, stored.drift);
    if (!stored.is_noisy()) return change;
    return std::max(change,
                    claimed == direction::less ? std::expm1(explained_by_spread) : -std::expm1(-explained_by_spread));
}

double usual_drift(std::string_view unit) {
    constexpr double of_speeds = 0.10;
    constexpr double of_others = 0.03;
    for (const dimension d : {dimension::time, dimension::item_rate, dimension::byte_rate, dimension::flop_rate})
        if (unit == base_unit(d)) return of_speeds;
    return of_others;
}

comparable_processes comparable_processes_of(std::span<const stored_process> processes, std::string_view unit,
                                             const drift_settings& settings) {
    auto sessions = detail::relative_sessions(processes, unit);
    detail::remove_noisy(sessions);
    comparable_processes result;
    result.values = detail::newest_of_each(sessions);
    for (const detail::relative_session& s : sessions) result.spread = std::max(result.spread, s.spread);
    const auto is_positive = [](double v) { return v > 0.0; };
    if (!std::ranges::all_of(result.values, is_positive)) {  // without logarithms, sessions show no drift
        result.sessions = sessions.size();
        if (std::ranges::any_of(result.values, is_positive)) result.drift = settings.given.value_or(usual_drift(unit));
        return result;
    }
    const std::vector<double> centers = detail::log_centers_of(sessions);
    result.sessions = centers.size();
    result.drift = settings.given ? *settings.given : drift_allowance(centers, usual_drift(unit), settings.rate);
    result.processor_ns = detail::processor_ns_of(sessions);
    return result;
}

namespace detail {

/// The measurement with the median value. Precondition: there is at least one.
[[nodiscard]] inline const stored_process& median_process_of(const std::vector<stored_process>& processes) {
    std::vector<const stored_process*> sorted;
    for (const stored_process& l : processes) sorted.push_back(&l);
    std::ranges::stable_sort(sorted, {}, [](const stored_process* l) { return l->value; });
    return *sorted[sorted.size() / 2];
}

[[nodiscard]] inline const stored_process& newest_of(const std::vector<stored_process>& processes) {
    return *std::ranges::max_element(processes, {}, &stored_process::time);
}

[[nodiscard]] inline stored_session session_of(const std::vector<stored_process>& processes) {
    stored_session session{median_process_of(processes), values_of(processes)};
    const stored_process& newest = newest_of(processes);
    session.recording_session = newest.recording_session;
    session.time = newest.time;
    session.commit = newest.commit;
    session.run = newest.run;
    session.value = 0;
    return session;
}

/// The measurements grouped by session, the oldest session first.
[[nodiscard]] inline std::vector<std::vector<stored_process>> processes_by_session(
    std::span<const stored_process> processes) {
    std::vector<std::vector<stored_process>> sessions;
    for (const stored_process& l : processes) {
        const auto known = std::ranges::find_if(
            sessions, [&](const auto& s) { return s.front().recording_session == l.recording_session; });
        if (known == sessions.end()) sessions.push_back({l});
        else known->push_back(l);
    }
    std::ranges::stable_sort(sessions, {}, [](const auto& s) { return newest_of(s).time; });
    return sessions;
}

/// The last elements, at most `maximum`.
template <class T> [[nodiscard]] std::span<const T> last_of(const std::vector<T>& all, std::size_t maximum) {
    return std::span(all).last(std::min(all.size(), maximum));
}

}  // namespace detail

std::vector<stored_session> sessions_of(std::span<const stored_process> processes) {
    std::vector<stored_session> sessions;
    for (const auto& of_session : detail::processes_by_session(processes))
        sessions.push_back(detail::session_of(of_session));
    return sessions;
}

std::vector<stored_process> processes_in(const stored_session& session) {
    std::vector<stored_process> processes(session.values.size(), session);
    for (std::size_t i = 0; i < processes.size(); ++i) processes[i].value = session.values[i];
    return processes;
}

std::vector<stored_process> newest_processes(std::span<const stored_process> processes) {
    std::vector<stored_process> kept;
    const auto sessions = detail::processes_by_session(processes);
    for (const auto& session : detail::last_of(sessions, baseline_entry::max_sessions))
        std::ranges::copy(detail::last_of(session, baseline_entry::max_processes_of_session), std::back_inserter(kept));
    return kept;
}

}  // namespace perfspec::inline v0_2
