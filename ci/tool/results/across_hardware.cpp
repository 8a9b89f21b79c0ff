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

/// The results of one machine, by their addresses without the hardware.
struct machine_results {
    std::string hardware;
    std::set<std::string_view> variants{};
    std::map<entry_address, const record*> measured{};
    std::set<entry_address> without_value{};
    std::size_t failed = 0;
    std::size_t of_any_hardware = 0;
};

machine_results machine_of(const results& all, std::string_view side) {
    std::set<std::string> machines;
    machine_results found;
    for (const result_line* line : all.finished()) {
        const record& r = line->about;
        if (r.hardware_key.starts_with(
                "any-")) {  // a count of the program itself, which machines of an architecture share
            ++found.of_any_hardware;
            continue;
        }
        machines.insert(r.hardware_key);
        found.variants.insert(r.build_variant);
        if (has_value(r)) found.measured[{{}, r.build_variant, r.suite, r.key}] = &r;
        else found.without_value.insert({{}, r.build_variant, r.suite, r.key});
        if (r.failed) ++found.failed;
    }
    if (machines.empty())
        throw input_error(
            fmt::format("{} has no results that hardware changes, expected those of one machine, such as times", side));
    if (machines.size() != 1)
        throw input_error(fmt::format("{} has results of {} machines, expected one: {}; give a file for each machine",
                                      side, machines.size(),
                                      detail::single_line(fmt::format("{}", fmt::join(machines, ", ")))));
    found.hardware = detail::single_line(*machines.begin());
    return found;
}

/// Where both machines have one build variant each, its name does not keep them apart.
void leave_variants_out(machine_results& machine) {
    std::map<entry_address, const record*> measured;
    for (const auto& [at, r] : machine.measured) measured[{{}, {}, at.suite, at.key}] = r;
    machine.measured = std::move(measured);
    std::set<entry_address> others;
    for (const entry_address& at : machine.without_value) others.insert({{}, {}, at.suite, at.key});
    machine.without_value = std::move(others);
}

using named_texts = std::map<std::string, std::string>;

/// What a result says of its code, options, workers, and, where it has a baseline, of machine and build. Memory and
/// processors are the hardware itself.
named_texts facts_of(const record& r, bool tells_machine) {
    static constexpr std::array<std::string_view, 6> not_of_measuring{"output",    "baseline_dir", "seed",
                                                                      "verbosity", "policy",       "build_variant"};
    named_texts facts{{"commit", r.commit + (r.dirty ? " with changes" : "")},
                      {"build", r.build},
                      {"build variant", r.build_variant}};
    for (const auto& [name, value] : r.options)
        if (std::ranges::find(not_of_measuring, name) == not_of_measuring.end()) facts["option " + name] = value;
    for (const remote_subject& worker : r.workers)
        for (const auto& [name, value] : worker.facts) facts[fmt::format("{} of {}", name, worker.process)] = value;
    if (!tells_machine) return facts;
    const fingerprint& machine = r.baseline->machine;
    for (const auto& [name, member] : detail::fingerprint_fields)
        if (name != std::string_view("memory") && name != std::string_view("processors")) facts[name] = machine.*member;
    for (const versioned_library& library : machine.libraries) facts[library.name] = library.version;
    return facts;
}

/// In what the results of two machines differ besides their hardware and their values.
struct differences {
    std::map<std::array<std::string, 3>, std::size_t> counts{};  ///< keys, by a fact's name and its value on A and on B
    std::size_t unknown = 0;                                     ///< keys that do not tell their compiler and libraries

    void add(const record& a, const record& b) {
        const auto tells = [](const record& r) { return r.baseline && !r.baseline->machine.compiler.empty(); };
        const bool both = tells(a) && tells(b);
        if (!both) ++unknown;
        std::map<std::string, std::pair<std::string, std::string>> facts;  // on A and on B
        for (const auto& [name, value] : facts_of(a, both)) facts[name].first = value;
        for (const auto& [name, value] : facts_of(b, both)) facts[name].second = value;
        for (const auto& [name, values] : facts)
            if (values.first != values.second) ++counts[{name, values.first, values.second}];
    }
    [[nodiscard]] std::string text() const {
        const auto shown = [](const std::string& text) { return text.empty() ? "nothing" : detail::single_line(text); };
        std::string text = counts.empty() ? "" : "not only the hardware differs:\n";
        for (const auto& [fact, count] : counts)
            text += fmt::format("  {}: {} on A, {} on B ({})\n", detail::single_line(fact[0]), shown(fact[1]),
                                shown(fact[2]), counted(count, "key"));
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
            text += fmt::format("  only on {}: {}: {}{}\n", side, detail::single_line(r->key),
                                format_value(r->estimate->centre, r->unit),
                                there.without_value.contains(at) ? ", the other has a result without a value" : "");
    return text;
}

std::string failed_text(const machine_results& machine, std::string_view side) {
    if (machine.failed == 0) return {};
    return fmt::format("{} failed on {}: see what perfspec report says of its results before you compare speeds\n",
                       counted(machine.failed, "claim"), side);
}

}  // namespace

outcome compare_across_hardware(const results& before, const results& after) {
    machine_results a = machine_of(before, "A");
    machine_results b = machine_of(after, "B");
    if (a.hardware == b.hardware)
        throw input_error(
            fmt::format("A and B are both of \"{}\", expected two machines: leave --across-hardware out", a.hardware));
    if (a.variants.size() == 1 && b.variants.size() == 1)
        for (machine_results* side : {&a, &b}) leave_variants_out(*side);
    gain_table table;
    differences other;
    for (const auto& [at, r] : b.measured)
        if (const auto found = a.measured.find(at); found != a.measured.end()) {
            table.add(*found->second, *r);
            other.add(*found->second, *r);
        }
    outcome done{notes_text(before) + notes_text(after) + fmt::format("A is {}, B is {}\n", a.hardware, b.hardware)};
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
