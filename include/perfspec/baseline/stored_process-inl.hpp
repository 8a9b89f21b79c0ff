// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/process_fields.hpp>
#include <perfspec/baseline/sessions/recording_session.hpp>
#include <perfspec/baseline/stored_process.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::inline v0_2 {
namespace detail {

enum class value_domain : std::uint8_t { finite, not_negative, positive };

/// The legal values in messages, in the order of value_domain.
inline constexpr const char* numbers_in[] = {"a finite number", "a number that is 0 or more", "a number above 0"};

/// The values that numbers in a unit may have. A user's own unit allows every finite number.
[[nodiscard]] inline value_domain domain_of(std::string_view unit) {
    for (const dimension d : {dimension::count, dimension::bytes})
        if (unit == base_unit(d)) return value_domain::not_negative;
    for (const dimension d :
         {dimension::time, dimension::ratio, dimension::item_rate, dimension::byte_rate, dimension::flop_rate})
        if (unit == base_unit(d)) return value_domain::positive;
    return value_domain::finite;
}

[[nodiscard]] inline bool may_be(value_domain domain, double value) noexcept {
    if (!std::isfinite(value)) return false;
    return domain == value_domain::finite || value > 0 || (domain == value_domain::not_negative && value == 0);
}

[[nodiscard]] inline std::optional<std::string> fault_of_profile(const part_profile& profile) {
    if (profile.longest.empty() || profile.longest.size() > part_profile::max_parts)
        return fmt::format("\"longest\" has {} parts, expected 1 to {}", profile.longest.size(),
                           part_profile::max_parts);
    for (const profiled_part& o : profile.longest)
        if (o.name.empty() || !is_utf8(o.name) || !may_be(value_domain::not_negative, o.self_ns) ||
            !may_be(value_domain::not_negative, o.calls))
            return fmt::format(
                "the operator {} has \"ns\" {} and \"calls\" {}, expected a name and numbers that are 0 or more",
                excerpt(o.name), o.self_ns, o.calls);
    if (!may_be(value_domain::not_negative, profile.others_ns))
        return fmt::format("\"others\" is {}, expected a number that is 0 or more", profile.others_ns);
    return {};
}

[[nodiscard]] inline std::optional<std::string> fault_of_numbers(const stored_process& process, std::string_view unit) {
    const value_domain domain = domain_of(unit);
    for (const auto& [name, member] : process_numbers)
        if (!may_be(domain, process.*member))
            return fmt::format("\"{}\" is {}, expected {}", name, process.*member,
                               numbers_in[static_cast<std::size_t>(domain)]);
    if (process.q1 <= process.q3 && process.q3 <= process.p90 && process.p90 <= process.p99) return {};
    return fmt::format(
        "\"q1\", \"q3\", \"p90\", \"p99\" are {}, {}, {}, {}, expected ascending quantiles such as 3, 4, 5, 6",
        process.q1, process.q3, process.p90, process.p99);
}

[[nodiscard]] inline std::optional<std::string> fault_of_process(const stored_process& process, std::string_view unit) {
    if (auto fault = fault_of_numbers(process, unit)) return fault;
    constexpr std::size_t most = 1'000'000'000'000'000;  // a double holds it exactly
    if (process.samples == 0 || process.samples > most)
        return fmt::format("\"samples\" is {}, expected a number of samples such as 300", process.samples);
    if (process.iterations == 0 || process.iterations > most)
        return fmt::format("\"iterations\" is {}, expected the iterations of a sample such as 1", process.iterations);
    if (!seconds_of_utc(process.time))
        return fmt::format("\"time\" is {}, expected a time in UTC such as \"2026-11-18T09:12:44Z\"",
                           excerpt(process.time));
    if (!std::isfinite(process.processor_ns) || process.processor_ns < 0.0)
        return fmt::format("\"processor_ns\" is {}, expected nanoseconds such as 812000", process.processor_ns);
    return {};
}

}  // namespace detail

std::string source_of(std::string_view file, int line, std::string_view program) {
    const std::string place = fmt::format("{}:{}", file.substr(file.rfind('/') + 1), line);
    return program.empty() ? place : fmt::format("{} in {}", place, program);
}

bool may_be_one_source(std::string_view a, std::string_view b) noexcept {
    return a.empty() || b.empty() || a.substr(0, a.rfind(':')) == b.substr(0, b.rfind(':'));
}

bool are_of_two_programs(std::string_view a, std::string_view b) noexcept {
    const std::size_t in_a = a.find(" in "), in_b = b.find(" in ");
    if (in_a == a.npos || in_b == b.npos) return false;
    return a.substr(in_a) != b.substr(in_b) && !may_be_one_source(a, b);
}

std::vector<double> values_of(std::span<const stored_process> processes) {
    std::vector<double> values(processes.size());
    std::transform(processes.begin(), processes.end(), values.begin(), [](const stored_process& l) { return l.value; });
    return values;
}

std::vector<double> relative_values_of(std::span<const stored_process> processes, std::string_view unit) {
    std::vector<double> values = values_of(processes);
    if (unit == base_unit(dimension::power))
        for (double& v : values) v = std::exp(v);
    return values;
}

std::optional<std::string> fault_of(const baseline_entry& entry) {
    if (!detail::is_utf8(entry.key))
        return "the key is not UTF-8; name the query with key(\"…\"), or save the source as UTF-8";
    if (entry.unit.empty() || !detail::is_utf8(entry.unit))
        return R"("unit" is empty or not UTF-8, expected a unit such as "ns")";
    if (entry.processes.empty()) return R"(the entry has no measurements, expected a session with 1 to 40 values)";
    if (newest_processes(entry.processes).size() != entry.processes.size())
        return fmt::format(
            "there are {} measurements in {} sessions, expected at most {} in each of at most {} sessions",
            entry.processes.size(), sessions_of(entry.processes).size(), baseline_entry::max_processes_of_session,
            baseline_entry::max_sessions);
    for (const auto& process : entry.processes)
        if (auto fault = detail::fault_of_process(process, entry.unit)) return fault;
    return entry.profile ? detail::fault_of_profile(*entry.profile) : std::nullopt;
}

}  // namespace perfspec::inline v0_2

namespace perfspec::inline v0_2::detail {

template <> void read_field(const json_value& v, std::vector<versioned_library>& into, const json_place& at) {
    std::vector<std::pair<std::string, std::string>> pairs;
    read_field(v, pairs, at);
    into.clear();
    for (auto& [name, version] : pairs) into.push_back({std::move(name), std::move(version)});
    std::ranges::sort(into, {}, &versioned_library::name);
}

template <> void read_field(const json_value& v, std::vector<stored_process>& into, const json_place& at) {
    std::vector<stored_session> sessions;
    read_field(v, sessions, at);
    std::ranges::stable_sort(sessions, {}, &stored_session::time);
    into.clear();
    for (const stored_session& session : sessions)
        for (stored_process& process : processes_in(session)) into.push_back(std::move(process));
    if (sessions_of(into).size() != sessions.size())
        throw json_fault(
            v.line, "a \"session\" appears twice or has no \"values\", expected each session once and with values");
}

template <> std::string json(const std::vector<versioned_library>& libraries) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const auto& [name, version] : libraries) pairs.emplace_back(name, version);
    return json(pairs);
}

template <> std::string json(const std::vector<stored_process>& processes) { return json(sessions_of(processes)); }

}  // namespace perfspec::inline v0_2::detail
