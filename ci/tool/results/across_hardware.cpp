// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "compare.hpp"

#include <perfspec/quantity/error.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace perfspec::tool {
namespace {

/// The results of one machine, by suite and key.
struct machine_results {
    std::string name;  ///< the hardware key, and the build variant
    std::map<entry_address, const record*> measured{};
    std::size_t failed = 0;
    std::size_t of_any_hardware = 0;
};

machine_results machine_of(const results& all, std::string_view side) {
    std::set<std::string> machines;
    machine_results found;
    for (const result_line* line : all.finished()) {
        const record& r = line->about;
        if (r.hardware_key.starts_with(
                "any-")) {  // a count of the program, which all machines of an architecture share
            ++found.of_any_hardware;
            continue;
        }
        machines.insert(
            detail::single_line(r.hardware_key + (r.build_variant.empty() ? "" : ", variant " + r.build_variant)));
        if (has_value(r)) found.measured[{{}, {}, r.suite, r.key}] = &r;
        if (r.failed) ++found.failed;
    }
    if (machines.empty())
        throw input_error(
            fmt::format("{} has no results that hardware changes, expected those of one machine, such as times", side));
    if (machines.size() != 1)
        throw input_error(fmt::format("{} has results of {} machines, expected one: {}; give a file for each machine",
                                      side, machines.size(), fmt::join(machines, "; ")));
    found.name = *machines.begin();
    return found;
}

/// What a result tells of its code and options.
std::map<std::string, std::string> facts_of(const record& r) {
    static constexpr std::array<std::string_view, 6> not_of_measuring{"output",    "baseline_dir", "seed",
                                                                      "verbosity", "policy",       "build_variant"};
    std::map<std::string, std::string> facts{{"commit", r.commit + (r.dirty ? " with changes" : "")},
                                             {"build", r.build}};
    for (const auto& [name, value] : r.options)
        if (std::ranges::find(not_of_measuring, name) == not_of_measuring.end()) facts["option " + name] = value;
    return facts;
}

std::string told(const std::string& value) { return value.empty() ? "none" : value; }

/// In what the results of two machines differ besides their hardware and their values.
struct differences {
    std::map<std::string, std::size_t> counts{};  ///< keys, by what differs: "build: was optimised, is debug"
    std::size_t unknown = 0;                      ///< keys that do not tell their compiler and libraries

    void add(const record& a, const record& b) {
        auto there = facts_of(b);
        for (const auto& [name, value] : facts_of(a))
            if (there[name] != value) ++counts[fmt::format("{}: was {}, is {}", name, told(value), told(there[name]))];
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
            text +=
                fmt::format("compiler, flags and libraries of {} are not known: only claims on baseline() tell them\n",
                            counted(unknown, "key"));
        return text;
    }
};

std::string times(double ratio) {
    return std::isfinite(ratio) ? fmt::format("{}x", format_value(ratio, dimension::ratio)) : "-";
}

/// Why a pair has no part in a mean; empty where it has.
std::string_view fault_of(const record& a, const record& b) {
    if (const std::string_view why = why_no_ratio(a, b); !why.empty()) return why;
    if (a.verdict == verdict::invalid) return b.verdict == verdict::invalid ? "invalid on both" : "invalid on A";
    if (b.verdict == verdict::invalid) return "invalid on B";
    return a.estimate->centre > 0.0 && b.estimate->centre > 0.0 ? "" : "no ratio of this value";
}

/// The keys of both machines: how many times better B is.
struct gain_table {
    table_rows rows{{"key", "A", "B", "B is better by", "interval", ""}};
    std::map<std::string, std::vector<double>> logarithms{};  ///< of the gains, by metric
    std::size_t compared = 0;
    std::size_t left_out = 0;

    void add(const record& a, const record& b) {
        std::vector<std::string> row{detail::single_line(b.key), format_value(a.estimate->centre, a.unit),
                                     format_value(b.estimate->centre, b.unit)};
        if (const std::string_view fault = fault_of(a, b); !fault.empty()) {
            ++left_out;
            row.insert(row.end(), {"-", "-", std::string(fault)});
        } else {
            ++compared;
            add_gain(row, change_between(*a.estimate, *b.estimate), b);
        }
        rows.push_back(std::move(row));
    }
    [[nodiscard]] std::string means() const {
        std::string text = logarithms.empty() ? "" : "B is better by\n";
        for (const auto& [metric, all] : logarithms) {
            double sum = 0.0;
            for (const double each : all) sum += each;
            text += fmt::format("  {}: {}, geometric mean of {}\n", detail::single_line(metric),
                                times(std::exp(sum / static_cast<double>(all.size()))), counted(all.size(), "key"));
        }
        return text;
    }

private:
    void add_gain(std::vector<std::string>& row, const value_change& change, const record& b) {
        double centre = 1.0 + change.centre, low = 1.0 + change.low, high = 1.0 + change.high;
        if (b.direction == better::less) {
            centre = 1.0 / centre;
            const double best = 1.0 / low;
            low = 1.0 / high;
            high = best;
        }
        logarithms[metric_in_unit(b)].push_back(std::log(centre));
        row.insert(row.end(), {times(centre), fmt::format("{} .. {}", times(low), times(high)),
                               low > 1.0    ? "B better"
                               : high < 1.0 ? "A better"
                                            : ""});
    }
};

std::string only_text(const machine_results& here, const machine_results& there, std::string_view side) {
    std::string text;
    for (const auto& [at, r] : here.measured)
        if (!there.measured.contains(at))
            text += fmt::format("  only on {}: {}: {}\n", side, detail::single_line(r->key),
                                format_value(r->estimate->centre, r->unit));
    return text;
}

std::string failed_text(const machine_results& machine, std::string_view side) {
    if (machine.failed == 0) return {};
    return fmt::format("{} failed on {}: see what perfspec report says of its results before you compare speeds\n",
                       counted(machine.failed, "claim"), side);
}

}  // namespace

outcome compare_across_hardware(const results& before, const results& after) {
    const machine_results a = machine_of(before, "A");
    const machine_results b = machine_of(after, "B");
    if (a.name == b.name)
        throw input_error(
            fmt::format("A and B are both of \"{}\", expected two machines: leave --across-hardware out", a.name));
    gain_table table;
    differences other;
    for (const auto& [at, r] : b.measured)
        if (const auto found = a.measured.find(at); found != a.measured.end()) {
            table.add(*found->second, *r);
            other.add(*found->second, *r);
        }
    outcome done{notes_text(before) + notes_text(after) + fmt::format("A is {}, B is {}\n", a.name, b.name)};
    if (table.rows.size() > 1) done.text += table_text(table.rows, "  ");
    done.text += only_text(a, b, "A") + only_text(b, a, "B") + table.means();
    done.text += fmt::format("{} compared", counted(table.compared, "key"));
    if (table.left_out > 0) done.text += fmt::format(", {} left out of the means", table.left_out);
    done.text += '\n';
    if (const std::size_t n = a.of_any_hardware + b.of_any_hardware; n > 0)
        done.text += fmt::format("{} of any hardware left out: no machine changes a count of the program\n",
                                 counted(n, "result"));
    done.text += other.text() + failed_text(a, "A") + failed_text(b, "B");
    if (table.compared > 0) return done;
    done.code = exit_code::unusable;
    done.text += "nothing was compared: run the same tests on both machines, with the same device and settings\n";
    return done;
}

}  // namespace perfspec::tool
