// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/launch_fields.hpp>

#include <algorithm>
#include <utility>

namespace perfspec::inline v0_1::detail {

template <> void read_field(const json_value& v, std::vector<versioned_library>& into, const json_place& at) {
    std::vector<std::pair<std::string, std::string>> pairs;
    read_field(v, pairs, at);
    into.clear();
    for (auto& [name, version] : pairs) into.push_back({std::move(name), std::move(version)});
    std::ranges::sort(into, {}, &versioned_library::name);
}

template <> void read_field(const json_value& v, std::vector<stored_launch>& into, const json_place& at) {
    std::vector<stored_session> sessions;
    read_field(v, sessions, at);
    std::ranges::stable_sort(sessions, {}, &stored_session::when);
    into.clear();
    for (const stored_session& session : sessions)
        for (stored_launch& launch : launches_in(session)) into.push_back(std::move(launch));
    if (sessions_of(into).size() != sessions.size())
        throw json_fault(v.line, "a \"session\" appears twice or has no \"values\", expected launches of each");
}

template <> std::string json(const std::vector<versioned_library>& libraries) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const auto& [name, version] : libraries) pairs.emplace_back(name, version);
    return json(pairs);
}

template <> std::string json(const std::vector<stored_launch>& launches) { return json(sessions_of(launches)); }

}  // namespace perfspec::inline v0_1::detail
