// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "compare.hpp"

#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace perfspec::tool {
namespace {

/// The results of one machine, without its name in their addresses.
struct machine_results {
    std::string name{};  ///< the hardware key, and the build variant
    results lines{};
    std::size_t failed = 0;
    std::size_t of_any_hardware = 0;
};

machine_results machine_of(const results& all, std::string_view side) {
    std::set<std::string> machines;
    machine_results machine{.lines = {.notes = all.notes}};
    for (const result_line* line : all.finished()) {
        const record& r = line->about;
        // Counts of the program are the same on all machines of an architecture.
        if (r.hardware_key.starts_with("any-")) {
            ++machine.of_any_hardware;
            continue;
        }
        machines.insert(
            detail::single_line(r.hardware_key + (r.build_variant.empty() ? "" : ", variant " + r.build_variant)));
        if (r.failed) ++machine.failed;
        record& kept = machine.lines.lines.emplace_back(*line).about;
        kept.hardware_key.clear();
        kept.build_variant.clear();
    }
    if (machines.empty())
        throw input_error(fmt::format(
            "{} has only results that do not depend on the hardware, expected others, such as times", side));
    if (machines.size() != 1)
        throw input_error(
            fmt::format("{} has results of {} machines ({}), expected one: give one file for each machine", side,
                        machines.size(), fmt::join(machines, "; ")));
    machine.name = *machines.begin();
    return machine;
}

/// The commit, build and options of a result.
std::map<std::string, std::string> facts_of(const record& r) {
    static constexpr std::array<std::string_view, 6> without_effect{"output",    "baseline_dir", "seed",
                                                                    "verbosity", "ci",           "build_variant"};
    std::map<std::string, std::string> facts{{"commit", r.commit + (r.dirty ? " with changes" : "")},
                                             {"build", r.build}};
    for (const auto& [name, value] : r.options)
        if (std::ranges::find(without_effect, name) == without_effect.end()) facts["option " + name] = value;
    return facts;
}

std::string value_or_none(const std::string& value) { return value.empty() ? "none" : value; }

/// The differences of two machines' results besides hardware and values.
struct differences {
    std::map<std::string, std::size_t> counts{};  ///< keys, by what differs: "build: was optimized, is debug"
    std::size_t unknown = 0;                      ///< keys without a compiler and libraries in their results

    void add(const record& a, const record& b) {
        auto there = facts_of(b);
        for (const auto& [name, value] : facts_of(a))
            if (there[name] != value)
                ++counts[fmt::format("{}: was {}, is {}", name, value_or_none(value), value_or_none(there[name]))];
        if (!a.baseline || !b.baseline || a.baseline->machine.compiler.empty() ||
            b.baseline->machine.compiler.empty()) {
            ++unknown;
            return;
        }
        for (const std::string& difference : describe_difference(a.baseline->machine, b.baseline->machine))
            if (!difference.starts_with("memory: ") && !difference.starts_with("processors: ")) ++counts[difference];
    }
    [[nodiscard]] std::string text() const {
        std::string text = counts.empty() ? "" : "not only the hardware differs:\n";
        for (const auto& [difference, count] : counts)
            text += fmt::format("  {} ({})\n", detail::single_line(difference), counted(count, "key"));
        if (unknown > 0)
            text += fmt::format(
                "compiler, flags and libraries of {} are unknown, because only claims on baseline() record them\n",
                counted(unknown, "key"));
        return text;
    }
};

std::string failed_text(const machine_results& machine, std::string_view side) {
    if (machine.failed == 0) return {};
    return fmt::format("{} failed on {}: run perfspec report on its results before you compare speeds\n",
                       counted(machine.failed, "claim"), side);
}

}  // namespace

outcome compare_across_hardware(const results& before, const results& after) {
    const machine_results a = machine_of(before, "OLD");
    const machine_results b = machine_of(after, "NEW");
    if (a.name == b.name)
        throw input_error(fmt::format(
            "OLD and NEW are results of one machine, \"{}\", expected two: leave out --across-hardware", a.name));
    const measured_keys then = measured_keys_of(a.lines);
    differences other;
    std::size_t compared = 0;
    for (const auto& [at, r] : measured_keys_of(b.lines)) {
        const auto found = then.find(at);
        if (found == then.end()) continue;
        other.add(*found->second, *r);
        if (why_no_ratio(*found->second, *r).empty()) ++compared;
    }
    outcome done = compare(a.lines, b.lines, {});
    done.text = fmt::format("old is {}, new is {}\n", a.name, b.name) + done.text;
    if (const std::size_t n = a.of_any_hardware + b.of_any_hardware; n > 0)
        done.text += fmt::format("{} left out, because they do not depend on the hardware\n", counted(n, "result"));
    done.text += other.text() + failed_text(a, "old") + failed_text(b, "new");
    if (compared > 0) return done;
    done.code = exit_code::error;
    done.text += "nothing was compared: run the same tests on both machines, with the same device and settings\n";
    return done;
}

}  // namespace perfspec::tool
