// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "across_hardware.hpp"

#include "differences.hpp"
#include "value_change.hpp"

#include "../baselines/baseline_files.hpp"

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace perfspec::tool {
namespace {

/// Build variant, suite and key: an address without the hardware.
using place = std::tuple<std::string, std::string, std::string>;

/// The results of one machine.
struct machine_results {
    std::string hardware;
    std::set<std::string> variants{};
    std::map<place, const record*> measured{};
    std::set<place> without_value{};
    std::size_t failed = 0;
    std::size_t of_any_hardware = 0;

    /// Where both machines have one build variant each, its name does not keep them apart.
    void leave_variants_out() {
        std::map<place, const record*> renamed;
        for (const auto& [at, r] : measured) renamed[{"", std::get<1>(at), std::get<2>(at)}] = r;
        measured = std::move(renamed);
        std::set<place> others;
        for (const place& at : without_value) others.insert({"", std::get<1>(at), std::get<2>(at)});
        without_value = std::move(others);
    }
};

/// Counts of the program itself, which all machines of an architecture share, have such a key (`any_hardware_key`).
bool is_of_any_hardware(const record& r) { return r.hardware_key.starts_with("any-"); }

machine_results machine_of(const results& all, std::string_view side) {
    std::set<std::string> machines;
    machine_results found;
    for (const result_line* line : all.finished()) {
        const record& r = line->about;
        if (is_of_any_hardware(r)) {
            ++found.of_any_hardware;
            continue;
        }
        machines.insert(r.hardware_key);
        found.variants.insert(r.build_variant);
        const place at{r.build_variant, r.suite, r.key};
        if (has_value(r)) found.measured[at] = &r;
        else found.without_value.insert(at);
        if (r.failed) ++found.failed;
    }
    if (machines.empty())
        throw input_error(fmt::format("{} has no results that hardware changes, expected those of one machine, such as times", side));
    if (machines.size() != 1)
        throw input_error(fmt::format("{} has results of {} machines, expected one: {}; give a file for each machine", side,
                                      machines.size(), detail::single_line(fmt::format("{}", fmt::join(machines, ", ")))));
    found.hardware = *machines.begin();
    return found;
}

/// How many times better the second machine is.
struct gain {
    double centre;
    double low;
    double high;
};

gain gain_of(const record& a, const record& b) {
    const estimate& less = a.direction == better::less ? *a.estimate : *b.estimate;
    const estimate& over = a.direction == better::less ? *b.estimate : *a.estimate;
    const auto ratio = [](double top, double bottom) { return bottom > 0.0 ? top / bottom : std::numeric_limits<double>::infinity(); };
    return {ratio(less.centre, over.centre), std::max(0.0, ratio(less.low, over.high)), ratio(less.high, over.low)};
}

std::string times(double ratio) { return std::isfinite(ratio) ? fmt::format("{}x", format_value(ratio, dimension::ratio)) : "-"; }

/// The metric of a query with its unit: "latency in ns".
std::string metric_of(const record& r) { return fmt::format("{} in {}", r.query.substr(0, r.query.find('(')), unit_name(r)); }

/// Why a pair has no part in a mean; empty where it has.
std::string fault_of(const record& a, const record& b) {
    if (unit_name(a) != unit_name(b) || a.direction != b.direction) return "another metric";
    if (a.verdict == verdict::invalid) return b.verdict == verdict::invalid ? "invalid on both" : "invalid on A";
    if (b.verdict == verdict::invalid) return "invalid on B";
    if (!(a.estimate->centre > 0.0) || !(b.estimate->centre > 0.0)) return "no ratio of this value";
    return {};
}

struct gain_table {
    table_rows rows{{"key", "A", "B", "B is better by", "interval", ""}};
    std::map<std::string, std::vector<double>> logarithms{};  ///< of the gains, by metric
    std::size_t compared = 0;
    std::size_t left_out = 0;

    void add(const record& a, const record& b) {
        std::vector<std::string> row{detail::single_line(b.key), format_value(a.estimate->centre, a.unit),
                                     format_value(b.estimate->centre, b.unit)};
        if (const std::string fault = fault_of(a, b); !fault.empty()) {
            ++left_out;
            row.insert(row.end(), {"-", "-", fault});
        } else {
            ++compared;
            const gain g = gain_of(a, b);
            logarithms[metric_of(b)].push_back(std::log(g.centre));
            row.insert(row.end(), {times(g.centre), fmt::format("{} .. {}", times(g.low), times(g.high)),
                                   g.low > 1.0    ? "B better"
                                   : g.high < 1.0 ? "A better"
                                                  : ""});
        }
        rows.push_back(std::move(row));
    }
    [[nodiscard]] std::string means() const {
        std::string text;
        for (const auto& [metric, all] : logarithms) {
            double sum = 0.0;
            for (const double each : all) sum += each;
            text += fmt::format("  {}: {}, geometric mean of {}\n", detail::single_line(metric),
                                times(std::exp(sum / static_cast<double>(all.size()))), counted(all.size(), "key"));
        }
        return text.empty() ? text : "B is better by\n" + text;
    }
};

std::string only_text(const machine_results& here, const machine_results& there, std::string_view side) {
    std::string text;
    for (const auto& [at, r] : here.measured) {
        if (there.measured.contains(at)) continue;
        text += fmt::format("  only on {}: {}: {}{}\n", side, detail::single_line(r->key), format_value(r->estimate->centre, r->unit),
                            there.without_value.contains(at) ? ", the other has a result without a value" : "");
    }
    return text;
}

std::string any_hardware_text(std::size_t n) {
    return n == 0 ? std::string{}
                  : fmt::format("{} of any hardware left out: no machine changes a count of the program\n", counted(n, "result"));
}

std::string failed_text(const machine_results& machine, std::string_view side) {
    if (machine.failed == 0) return {};
    return fmt::format("{} failed on {}: see what perfspec report says of its results before you compare speeds\n",
                       counted(machine.failed, "claim"), side);
}

/// Both machines; the texts of differences are of the keys that both have.
std::string side_by_side(const machine_results& a, const machine_results& b, gain_table& table, differences& other) {
    for (const auto& [at, r] : b.measured) {
        const auto found = a.measured.find(at);
        if (found == a.measured.end()) continue;
        table.add(*found->second, *r);
        other.add(*found->second, *r);
    }
    return table.rows.size() > 1 ? table_text(table.rows, "  ") : std::string{};
}

}  // namespace

outcome compare_across_hardware(const results& before, const results& after) {
    machine_results a = machine_of(before, "A");
    machine_results b = machine_of(after, "B");
    if (a.hardware == b.hardware)
        throw input_error(
            fmt::format("A and B are both of \"{}\", expected two machines: leave --across-hardware out", detail::single_line(a.hardware)));
    if (a.variants.size() == 1 && b.variants.size() == 1) {
        a.leave_variants_out();
        b.leave_variants_out();
    }
    outcome done;
    for (const results* side : {&before, &after})
        for (const std::string& note : side->notes) done.text += note + '\n';
    done.text += fmt::format("A is {}, B is {}\n", detail::single_line(a.hardware), detail::single_line(b.hardware));
    gain_table table;
    differences other;
    done.text += side_by_side(a, b, table, other);
    done.text += only_text(a, b, "A") + only_text(b, a, "B") + table.means();
    done.text += fmt::format("{} compared", counted(table.compared, "key"));
    if (table.left_out > 0) done.text += fmt::format(", {} left out of the means", table.left_out);
    done.text += '\n' + any_hardware_text(a.of_any_hardware + b.of_any_hardware) + other.text() + failed_text(a, "A") + failed_text(b, "B");
    if (table.compared > 0) return done;
    done.code = exit_code::unusable;
    done.text += "nothing was compared: run the same tests on both machines, with the same device and settings\n";
    return done;
}

}  // namespace perfspec::tool
