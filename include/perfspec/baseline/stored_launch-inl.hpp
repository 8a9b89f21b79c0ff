// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/json_tree.hpp>
#include <perfspec/baseline/sessions/recording_session.hpp>
#include <perfspec/baseline/stored_launch.hpp>
#include <perfspec/baseline/update_rule.hpp>
#include <perfspec/process/printable.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::detail {

[[nodiscard]] inline std::optional<std::string> fault_of_operator(const profiled_operator& o) {
    if (o.name.empty() || !is_utf8(o.name))
        return R"(the name of an operator is empty or not UTF-8, expected one such as "aten::conv2d")";
    if (!may_be(value_domain::not_negative, o.self_ns))
        return fmt::format("the operator {} has \"ns\" {}, expected a time in ns such as 523000", excerpt(o.name),
                           o.self_ns);
    if (!may_be(value_domain::not_negative, o.calls))
        return fmt::format("the operator {} has \"calls\" {}, expected a number of calls such as 9", excerpt(o.name),
                           o.calls);
    return {};
}

std::optional<std::string> fault_of_profile(const operator_profile& profile) {
    if (!is_utf8(profile.settings))
        return R"("settings" of "operators" is not UTF-8, expected text such as "2 threads")";
    if (profile.longest.empty() || profile.longest.size() > operator_profile::max_operators)
        return fmt::format("\"longest\" has {} operators, expected 1 to {}", profile.longest.size(),
                           operator_profile::max_operators);
    for (auto o = profile.longest.begin(); o != profile.longest.end(); ++o) {
        if (auto fault = fault_of_operator(*o)) return fault;
        if (std::find_if(profile.longest.begin(), o,
                         [&](const profiled_operator& before) { return before.name == o->name; }) != o)
            return fmt::format("the operator {} appears twice, expected it once", excerpt(o->name));
    }
    if (!may_be(value_domain::not_negative, profile.others_ns))
        return fmt::format("\"others\" is {}, expected a time in ns such as 12000", profile.others_ns);
    return {};
}

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

namespace perfspec {

namespace detail {

inline constexpr std::array unit_rules{
    unit_rule{"ns", value_domain::positive, "a time in ns such as 3210000"},
    unit_rule{"ratio", value_domain::positive, "a ratio such as 1.42"},
    unit_rule{"count", value_domain::not_negative, "a count such as 12"},
    unit_rule{"bytes", value_domain::not_negative, "a size in bytes such as 1048576"},
    unit_rule{"items/s", value_domain::positive, "a rate in items/s such as 125000"},
    unit_rule{"bytes/s", value_domain::positive, "a rate in bytes/s such as 1200000000"},
    unit_rule{"flop/s", value_domain::positive, "a rate in flop/s such as 3500000000"},
};

unit_rule rule_of(std::string_view unit) {
    const auto found =
        std::find_if(unit_rules.begin(), unit_rules.end(), [&](const unit_rule& r) { return r.unit == unit; });
    return found != unit_rules.end() ? *found : unit_rule{unit, value_domain::finite, "a finite number such as 42.5"};
}

bool may_be(value_domain domain, double value) noexcept {
    if (!std::isfinite(value)) return false;
    return domain == value_domain::finite || value > 0 || (domain == value_domain::not_negative && value == 0);
}

[[nodiscard]] inline std::optional<std::string> fault_of_numbers(const stored_launch& launch, std::string_view unit) {
    const auto rule = rule_of(unit);
    for (const auto& [name, member] : launch_numbers)
        if (!may_be(rule.domain, launch.*member))
            return fmt::format("\"{}\" is {}, expected {}", name, launch.*member, rule.expected);
    if (launch.q1 <= launch.q3 && launch.q3 <= launch.p90 && launch.p90 <= launch.p99) return {};
    return fmt::format(
        "\"q1\", \"q3\", \"p90\", \"p99\" are {}, {}, {}, {}, expected ascending quantiles such as 3, 4, 5, 6",
        launch.q1, launch.q3, launch.p90, launch.p99);
}

std::optional<std::string> fault_of_launch(const stored_launch& launch, std::string_view unit) {
    if (auto fault = fault_of_numbers(launch, unit)) return fault;
    if (launch.samples == 0) return R"("samples" is 0, expected a number of samples such as 300)";
    if (launch.iterations == 0) return R"("iterations" is 0, expected the iterations of a sample such as 1)";
    if (!seconds_of_utc(launch.when))
        return fmt::format("\"when\" is \"{}\", expected a time in UTC such as \"2026-11-18T09:12:44Z\"", launch.when);
    for (const auto* text : {&launch.commit, &launch.run, &launch.recording_session})
        if (!is_utf8(*text)) return R"("commit", "run" or "session" is not UTF-8, expected text such as "3f2c1ab")";
    if (launch.moved_by_load && !(*launch.moved_by_load > -1.0 && *launch.moved_by_load <= 100.0))
        return fmt::format("\"moved_by_load\" is {}, expected a fraction above -1 and up to 100 such as 0.02",
                           *launch.moved_by_load);
    return {};
}

[[nodiscard]] inline std::optional<std::string> fault_of_fingerprint(const fingerprint& facts) {
    for (const auto& [name, member] : fingerprint_fields)
        if (!is_utf8(facts.*member))
            return fmt::format("\"{}\" of \"recorded_on\" is not UTF-8, expected text such as \"12.2.0\"", name);
    for (auto l = facts.libraries.begin(); l != facts.libraries.end(); ++l) {
        if (!is_utf8(l->name) || !is_utf8(l->version))
            return R"(a library's name or version is not UTF-8, expected text such as "2.13.0")";
        if (std::any_of(facts.libraries.begin(), l,
                        [&](const versioned_library& before) { return before.name == l->name; }))
            return fmt::format("the library \"{}\" appears twice, expected it once", l->name);
    }
    return {};
}

}  // namespace detail

std::vector<double> values_of(std::span<const stored_launch> launches) {
    std::vector<double> values(launches.size());
    std::transform(launches.begin(), launches.end(), values.begin(), [](const stored_launch& l) { return l.value; });
    return values;
}

std::vector<double> relative_values_of(std::span<const stored_launch> launches, std::string_view unit) {
    std::vector<double> values = values_of(launches);
    if (unit == base_unit(dimension::power))
        for (double& v : values) v = std::exp(v);
    return values;
}

std::optional<std::string> fault_of(const baseline_entry& entry) {
    if (!detail::is_utf8(entry.key))
        return "the key is not UTF-8; name the query with key(\"…\"), or save the source as UTF-8";
    if (entry.unit.empty() || !detail::is_utf8(entry.unit))
        return R"("unit" is empty or not UTF-8, expected a unit such as "ns")";
    if (entry.launches.empty()) return R"(there are no launches, expected a session of 1 to 40)";
    if (newest_launches(entry.launches).size() != entry.launches.size())
        return fmt::format("there are {} launches in {} sessions, expected at most {} of each of at most {}",
                           entry.launches.size(), sessions_of(entry.launches).size(),
                           baseline_entry::max_launches_of_session, baseline_entry::max_sessions);
    if (auto fault = detail::fault_of_fingerprint(entry.recorded_on)) return fault;
    for (const auto& launch : entry.launches)
        if (auto fault = detail::fault_of_launch(launch, entry.unit)) return fault;
    return entry.operators ? detail::fault_of_profile(*entry.operators) : std::nullopt;
}

}  // namespace perfspec
