// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/machine/gpu_activity.hpp>
#include <perfspec/quantity/format.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

namespace perfspec::detail {

foreign_use use_by_others(std::vector<computing_process> computing, kin (*kin_of)(unsigned pid)) {
    std::ranges::sort(computing, std::ranges::greater{}, &computing_process::percentage);
    const auto is_own = [&](const computing_process& each) { return kin_of(each.pid) == kin::own; };
    bool is_own_known = std::ranges::any_of(computing, is_own);
    foreign_use all;
    for (const computing_process& each : computing) {
        const kin who = kin_of(each.pid);
        const bool is_this = who == kin::own || (who == kin::unseen && !is_own_known);
        is_own_known = is_own_known || is_this;
        if (is_this) continue;
        ++all.processes;
        all.share = std::min(1.0, all.share + static_cast<double>(each.percentage) / 100.0);
    }
    return all;
}

/// By which factor sharing the GPU slows work down at most.
[[nodiscard]] inline double slowdown_by_others(const foreign_use& use) {
    const double turns = static_cast<double>(1 + use.processes);
    return use.share < 1.0 ? std::min(turns, 1.0 / (1.0 - use.share)) : turns;
}

/// The seconds that the GPU was held back between two moments, and their share of the time.
struct held_back {
    double seconds{};
    double share{};
};

[[nodiscard]] inline held_back held_back_between(const std::optional<time_held_back>& before,
                                                 const std::optional<time_held_back>& after) {
    if (!before || !after || after->nanoseconds <= before->nanoseconds) return {};
    const double seconds = static_cast<double>(after->nanoseconds - before->nanoseconds) / 1e9;
    if (after->until_microseconds <= before->until_microseconds) return {seconds, 1.0};
    return {seconds, seconds / (static_cast<double>(after->until_microseconds - before->until_microseconds) / 1e6)};
}

inline constexpr double least_share_held_back = 0.01;

[[nodiscard]] inline std::vector<std::string> reasons_of_slowness(const gpu_state& before, const gpu_state& after,
                                                                  double heat_share, double power_share) {
    const auto is_slow_by = [&](slow_clock reason) { return before.is_slow_by(reason) || after.is_slow_by(reason); };
    const bool is_hot =
        is_slow_by(slow_clock::heat) || is_slow_by(slow_clock::heat_of_hardware) || heat_share >= least_share_held_back;
    const bool is_braked = is_slow_by(slow_clock::power_brake);
    std::vector<std::string> all;
    if (is_hot) all.emplace_back("heat");
    if (is_braked) all.emplace_back("power brake");
    if (is_slow_by(slow_clock::hardware) && !is_hot && !is_braked) all.emplace_back("hardware");
    if (is_slow_by(slow_clock::power_limit) || power_share >= least_share_held_back) all.emplace_back("power limit");
    if (is_slow_by(slow_clock::sync_boost)) all.emplace_back("sync boost");
    return all;
}

/// Whether the machine slowed the GPU down, and not the work that it does: work at the power limit is as slow in every
/// run.
[[nodiscard]] inline bool is_of_machine(std::string_view reason) { return reason != "power limit"; }

/// The factor by which a reduced clock slows work down. An idle GPU has a low clock, too, which says nothing.
[[nodiscard]] inline double slowdown_by_clock(const gpu_state& end) {
    constexpr double at_least = 2.0;
    const bool is_reduced = end.is_slow_by(slow_clock::heat) || end.is_slow_by(slow_clock::heat_of_hardware) ||
                            end.is_slow_by(slow_clock::hardware) || end.is_slow_by(slow_clock::power_brake) ||
                            end.is_slow_by(slow_clock::sync_boost);
    if (!is_reduced || end.is_slow_by(slow_clock::idle) || end.sm_mhz.value_or(0) == 0 || !end.max_sm_mhz)
        return at_least;
    return std::max(1.0, static_cast<double>(*end.max_sm_mhz) / static_cast<double>(*end.sm_mhz));
}

[[nodiscard]] inline double number_told(const std::optional<unsigned>& told) {
    return static_cast<double>(told.value_or(0));
}

gpu_activity activity_between(std::string_view device, const gpu_state& before, const gpu_state& after,
                              kin (*kin_of)(unsigned pid)) {
    const held_back heat = held_back_between(before.by_heat, after.by_heat);
    const held_back power = held_back_between(before.by_power, after.by_power);
    const foreign_use others = use_by_others(after.computing, kin_of);
    gpu_activity seen{.device = std::string(device),
                      .sm_mhz = number_told(after.sm_mhz),
                      .max_sm_mhz = number_told(after.max_sm_mhz),
                      .celsius = number_told(after.celsius),
                      .watts = after.watts.value_or(0.0),
                      .watts_limit = after.watts_limit.value_or(0.0),
                      .heat_seconds = heat.seconds,
                      .power_seconds = power.seconds,
                      .slowed_by = reasons_of_slowness(before, after, heat.share, power.share),
                      .others = others.processes};
    if (std::ranges::any_of(seen.slowed_by, is_of_machine)) seen.slowdown = slowdown_by_clock(after);
    seen.slowdown *= slowdown_by_others(others);
    return seen;
}

std::string activity_text(const gpu_activity& seen) {
    std::vector<std::string> parts;
    if (!seen.slowed_by.empty()) {
        parts.push_back(fmt::format("slowed down by {}", fmt::join(seen.slowed_by, " and ")));
        if (seen.max_sm_mhz > 0.0) parts.push_back(fmt::format("{:.0f} of {:.0f} MHz", seen.sm_mhz, seen.max_sm_mhz));
        if (seen.celsius > 0.0) parts.push_back(fmt::format("{:.0f} degrees", seen.celsius));
        if (seen.watts_limit > 0.0) parts.push_back(fmt::format("{:.0f} of {:.0f} W", seen.watts, seen.watts_limit));
    }
    if (seen.others > 0) parts.push_back("used by " + counted(seen.others, "other process"));
    return parts.empty() ? std::string() : fmt::format("{} {}", seen.device, fmt::join(parts, ", "));
}

device_activity as_of_device(const gpu_activity& seen) {
    device_activity told{.device = seen.device,
                         .text = activity_text(seen),
                         .slowdown = seen.slowdown,
                         .others = seen.others,
                         .facts = {}};
    const auto add = [&](const char* name, double value) {
        if (value > 0.0) told.facts.emplace_back(name, fmt::format("{:g}", value));
    };
    add("sm_mhz", seen.sm_mhz);
    add("max_sm_mhz", seen.max_sm_mhz);
    add("celsius", seen.celsius);
    add("watts", seen.watts);
    add("watts_limit", seen.watts_limit);
    add("heat_seconds", seen.heat_seconds);
    add("power_seconds", seen.power_seconds);
    return told;
}

}  // namespace perfspec::detail
