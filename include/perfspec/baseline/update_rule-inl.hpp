// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/sessions/recording_session.hpp>
#include <perfspec/baseline/update_rule.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/rank_test.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <perfspec/quantity/format.hpp>

#include <fmt/format.h>

namespace perfspec::inline v0_2 {

namespace detail {

/// part / whole; 0 if part is 0, infinite if only whole is 0.
[[nodiscard]] inline double relative_to(double part, double whole) {
    if (part == 0) return 0;
    return whole == 0 ? std::copysign(std::numeric_limits<double>::infinity(), part) : part / std::abs(whole);
}

[[nodiscard]] inline std::string move_text(double fraction) {
    return std::isfinite(fraction) ? format_change(fraction) : "away from 0";
}

[[nodiscard]] inline bool same_metric(const baseline_entry& a, const baseline_entry& b) {
    return a.unit == b.unit && a.direction == b.direction;
}

[[nodiscard]] inline std::string metric_of(const baseline_entry& entry) {
    return fmt::format("{} ({} is better)", entry.unit, entry.direction == better::less ? "less" : "more");
}

/// For the mode "moved": decides whether an entry moved enough to be replaced.
[[nodiscard]] inline update_decision decide_by_distance(percentage headroom, const baseline_entry& stored,
                                                        const baseline_entry& fresh) {
    const double moved = change_between(stored, fresh).fraction;
    if (!(headroom.fraction >= 0))
        throw input_error(
            fmt::format("the headroom of a claim is {}, expected a fraction such as 0.05", headroom.fraction));
    const double third = headroom.fraction / 3;
    const std::string distance = fmt::format("the median changed by {}, and a third of the headroom is {}",
                                             move_text(moved), format_percentage(third));
    if (std::abs(moved) > third) return {update_action::replace, distance};
    constexpr std::size_t needed = stored_rank_test::min_stored;
    if (stored.processes.size() < needed && fresh.processes.size() >= needed)
        return {update_action::replace, fmt::format("the baseline has only {} measurements, a claim needs {}",
                                                    stored.processes.size(), stored_rank_test::min_stored)};
    return {update_action::keep, distance};
}

/// Whether the two entries share a recording session, by its mark.
[[nodiscard]] inline bool shares_session(const baseline_entry& a, const baseline_entry& b) {
    return std::ranges::any_of(a.processes, [&](const stored_process& l) {
        return !l.recording_session.empty() &&
               std::ranges::find(b.processes, l.recording_session, &stored_process::recording_session) !=
                   b.processes.end();
    });
}

/// The decision by the mode and the stored entry, without the spread.
[[nodiscard]] inline update_decision decide_by_mode(const update_request& request, const baseline_entry* stored,
                                                    const baseline_entry& fresh) {
    if (request.mode == baseline_update::none) return {update_action::keep, "no update was requested"};
    if (stored == nullptr) return {update_action::record, "nothing was stored for this key"};
    if (request.mode == baseline_update::missing)
        return {update_action::keep, "this key has an entry, and this run records only missing ones"};
    if (!same_metric(*stored, fresh)) {
        const std::string change =
            fmt::format("the baseline is in {}, but this run measured {}", metric_of(*stored), metric_of(fresh));
        if (request.mode != baseline_update::append) return {update_action::replace, change};
        return {update_action::refuse,
                change +
                    ". Different metrics cannot be combined. Record this key again with --perf-update-baselines=all",
                refusal::different_metrics};
    }
    if (request.mode == baseline_update::append && shares_session(*stored, fresh))
        return {update_action::keep, "this recording session is stored already"};
    if (request.mode == baseline_update::append)
        return {update_action::append, fmt::format("{} measurements were stored, {} are added",
                                                   stored->processes.size(), fresh.processes.size())};
    if (request.mode == baseline_update::all) return {update_action::replace, "every entry is recorded again"};
    return decide_by_distance(request.headroom, *stored, fresh);
}

}  // namespace detail

std::vector<stored_process> processes_after(update_action action, const baseline_entry* stored,
                                            std::span<const stored_process> fresh) {
    std::vector<stored_process> processes;
    if (action == update_action::append) processes = stored->processes;
    processes.insert(processes.end(), fresh.begin(), fresh.end());
    return newest_processes(processes);
}

percentage spread_between(std::span<const stored_process> processes, std::string_view unit) {
    const auto values = relative_values_of(processes, unit);
    if (std::all_of(values.begin(), values.end(), [](double v) { return v > 0; })) return {relative_spread(values)};
    const auto all = summarize(values);  // a count of 0 has no logarithm
    return {detail::relative_to(all.mad, all.median)};
}

percentage change_between(const baseline_entry& then, const baseline_entry& now) {
    const double before = median(comparable_processes_of(then.processes, then.unit).values);
    return {detail::relative_to(median(comparable_processes_of(now.processes, now.unit).values) - before, before)};
}

update_decision decide_update(const update_request& request, const baseline_entry* stored,
                              const baseline_entry& fresh) {
    auto decision = detail::decide_by_mode(request, stored, fresh);
    if (!decision.writes() || request.noisy == noisy_processes::record) return decision;
    if (stored != nullptr && request.mode != baseline_update::all && !may_be_one_source(stored->source, fresh.source))
        return {update_action::refuse,
                fmt::format(
                    "{} recorded this baseline, but {} uses it, too. If two programs have one name, give one of them "
                    "another SUITE",
                    stored->source, fresh.source),
                refusal::another_source};
    const double spread = spread_between(fresh.processes, fresh.unit).fraction;
    if (spread <= max_spread_to_record) return decision;
    return {
        update_action::refuse,
        fmt::format("the measured values vary by {} between processes, but with more than {} a baseline cannot detect "
                    "regressions. Reduce the load on this machine, or compare two subjects in one run",
                    format_percentage(spread), format_percentage(max_spread_to_record)),
        refusal::noisy};
}

}  // namespace perfspec::inline v0_2
