// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/json_tree.hpp>
#include <perfspec/baseline/sessions/upgrade_launches.hpp>
#include <perfspec/baseline/stored_launch.hpp>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::detail {

[[nodiscard]] inline std::string_view text_in(const json_value& launch, std::string_view name) {
    const json_value* const found = launch.member(name);
    return found == nullptr ? std::string_view{} : std::string_view(found->text);
}

[[nodiscard]] inline double value_in(const json_value& launch) {
    const json_value* const found = launch.member("value");
    return found == nullptr ? 0.0 : found->number;
}

inline void copy_members(const json_value& from, std::initializer_list<std::string_view> names, json_value& to) {
    for (const std::string_view name : names)
        if (const json_value* const found = from.member(name)) to.items.push_back(*found);
}

/// Makes a session of launches. Precondition: there is at least one.
[[nodiscard]] inline json_value session_from(std::vector<json_value> launches) {
    json_value session{.kind = json_kind::object, .line = launches.front().line};
    json_value values{.kind = json_kind::array, .line = launches.front().line, .name = "values"};
    for (const json_value& launch : launches)
        if (const json_value* const value = launch.member("value")) values.items.push_back(*value);
    session.items.push_back(std::move(values));
    const json_value newest =
        *std::ranges::max_element(launches, {}, [](const json_value& l) { return text_in(l, "when"); });
    std::ranges::stable_sort(launches, {}, value_in);
    copy_members(launches[launches.size() / 2], {"q1", "q3", "p90", "p99", "samples", "iterations"}, session);
    copy_members(newest, {"when", "commit", "run", "sitting"}, session);
    for (json_value& member : session.items)
        if (member.name == "sitting") member.name = "session";
    return session;
}

/// Groups launches by their "sitting", in the order of its first occurrence.
[[nodiscard]] inline std::vector<std::vector<json_value>> launches_by_sitting(const json_value& launches) {
    std::vector<std::vector<json_value>> sittings;
    for (const json_value& launch : launches.items) {
        const auto known = std::ranges::find_if(
            sittings, [&](const auto& s) { return text_in(s.front(), "sitting") == text_in(launch, "sitting"); });
        if (known == sittings.end()) sittings.push_back({launch});
        else known->push_back(launch);
    }
    return sittings;
}

/// Checks that a launch has the members of version 1. The values are checked later, as those of a session.
inline void require_launch(const json_value& launch) {
    constexpr std::array<std::string_view, 8> needed{"value", "q1",      "q3",         "p90",
                                                     "p99",   "samples", "iterations", "when"};
    constexpr std::array<std::string_view, 3> optional{"commit", "run", "sitting"};
    if (launch.kind != json_kind::object) throw json_fault(launch.line, "a launch is not an object");
    for (const std::string_view name : needed)
        if (launch.member(name) == nullptr)
            throw json_fault(launch.line, "\"" + std::string(name) + "\" of a launch is missing");
    for (const json_value& member : launch.items)
        if (std::ranges::find(needed, member.name) == needed.end() &&
            std::ranges::find(optional, member.name) == optional.end())
            throw json_fault(member.line, "\"" + member.name + "\" of a launch is unknown here");
}

/// Joins the oldest groups into one session: version 1 did not limit their number.
inline void unite_oldest(std::vector<std::vector<json_value>>& sittings) {
    while (sittings.size() > baseline_entry::max_sessions) {
        sittings[1].insert(sittings[1].begin(), sittings[0].begin(), sittings[0].end());
        for (json_value& launch : sittings[1])
            for (json_value& member : launch.items)
                if (member.name == "sitting") member.text = text_in(sittings[1].back(), "sitting");
        sittings.erase(sittings.begin());
    }
}

void sessions_from_launches(json_value& root) {
    const auto entries = std::ranges::find(root.items, "entries", &json_value::name);
    if (entries == root.items.end()) return;
    for (json_value& entry : entries->items) {
        const auto launches = std::ranges::find(entry.items, "launches", &json_value::name);
        if (launches == entry.items.end() || launches->kind != json_kind::array) continue;
        for (const json_value& launch : launches->items) require_launch(launch);
        json_value sessions{.kind = json_kind::array, .line = launches->line, .name = "sessions"};
        auto sittings = launches_by_sitting(*launches);
        unite_oldest(sittings);
        for (auto& of_sitting : sittings) sessions.items.push_back(session_from(std::move(of_sitting)));
        *launches = std::move(sessions);
    }
}

}  // namespace perfspec::detail
