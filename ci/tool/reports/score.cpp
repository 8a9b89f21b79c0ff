// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../results/compare.hpp"
#include "report.hpp"
#include "summaries.hpp"

#include <perfspec/quantity/error.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace perfspec::tool {
namespace {

constexpr double score_of_the_reference = 1000.0;

/// A change by no more than this fraction of the reference counts as none.
constexpr double dead_band = 0.07;

using keys_of_run = std::map<entry_address, const record*>;

bool is_valid(const record& r) { return has_value(r) && r.verdict != verdict::invalid; }

/// The last result of each key. Outputs alone have no value to score.
keys_of_run last_results(std::span<const record> records) {
    keys_of_run keys;
    for (const record& r : records)
        if (has_value(r) || r.verdict == verdict::invalid) keys[address_of(r)] = &r;
    return keys;
}

/// "test-cpu-4c" or "test-cpu-4c, variant clang", of each key.
std::set<std::string> machines_of(const keys_of_run& keys) {
    std::set<std::string> machines;
    for (const auto& [at, r] : keys)
        machines.insert(
            detail::single_line(r->hardware_key + (at.variant.empty() ? "" : ", variant " + std::string(at.variant))));
    return machines;
}

void refuse_other_machines(const keys_of_run& run, const keys_of_run& reference) {
    const auto here = machines_of(run);
    const auto there = machines_of(reference);
    if (here.empty() || std::ranges::any_of(there, [&](const std::string& machine) { return here.contains(machine); }))
        return;
    throw input_error(fmt::format(
        "--score: the reference is of {} and the results of {}, expected one machine: a score compares code, not "
        "machines; perfspec compare --across-hardware compares machines",
        fmt::join(there, "; "), fmt::join(here, "; ")));
}

/// Why a key of the reference cannot be scored; empty where it can.
std::string fault_of(const record& before, const record* now) {
    if (now == nullptr) return "has no result";
    if (!is_valid(*now)) return fmt::format("is {}", to_string(now->verdict));
    if (unit_name(before) != unit_name(*now))
        return fmt::format("is in {}, the reference in {}", unit_name(*now), unit_name(before));
    if (const std::string_view why = why_no_ratio(before, *now); !why.empty()) return fmt::format("has {}", why);
    const bool was_zero = before.estimate->centre == 0.0;
    if (was_zero == (now->estimate->centre == 0.0)) return {};
    return was_zero ? "was zero, so that it has no ratio" : "is zero, so that it has no ratio";
}

/// Adds a key to a row, whose score is the sum of logarithms until all are there.
void add_key(score_row& row, const record& before, const record& now) {
    ++row.keys;
    const value_change change = change_between(*before.estimate, *now.estimate);
    if (std::abs(change.centre) <= dead_band) return;
    ++row.changed;
    if (change.is_open() || side_of(change, now.direction, 0.0) == direction_of_change::none) ++row.unclear;
    const double gain = std::log1p(change.centre);
    row.score += now.direction == better::more ? gain : -gain;
}

std::string title_of_score(const suite_score& score, const std::string& reference) {
    if (score.rows.empty())
        return fmt::format(
            "no score against {}: {} of the reference cannot be compared; run the same tests, or measure a reference anew",
            reference, counted(score.faults.size(), "key"));
    return fmt::format("score against {}: {:g} is the reference, more is better; a change of {} or less counts as none",
                       reference, score_of_the_reference, format_percentage(dead_band));
}

}  // namespace

suite_score score_of(std::span<const record> run, std::span<const record> reference) {
    const keys_of_run now = last_results(run);
    keys_of_run then = last_results(reference);
    std::erase_if(then, [](const auto& each) { return !is_valid(*each.second); });
    if (then.empty())
        throw input_error("--score: the reference has no measured value, expected the results of a run that measured");
    refuse_other_machines(now, then);
    suite_score score;
    std::map<std::string, score_row> metrics;
    for (const auto& [at, before] : then) {
        const auto found = now.find(at);
        const record* r = found == now.end() ? nullptr : found->second;
        if (const std::string fault = fault_of(*before, r); !fault.empty()) {
            score.faults.push_back(fmt::format("{} {}", before->key, fault));
            continue;
        }
        add_key(metrics[metric_in_unit(*before)], *before, *r);
    }
    std::vector<std::string> fresh;
    for (const auto& [at, r] : now)
        if (is_valid(*r) && !then.contains(at)) fresh.push_back(r->key);
    if (!fresh.empty())
        score.notes.push_back(fmt::format("{} {} no part in the score, such as {}: the reference does not have {}",
                                          counted(fresh.size(), "key"), fresh.size() == 1 ? "has" : "have",
                                          detail::single_line(fresh.front()), fresh.size() == 1 ? "it" : "them"));
    if (!score.faults.empty()) return score;
    for (auto& [metric, row] : metrics) {
        row.metric = metric;
        row.score = score_of_the_reference * std::exp(row.score / static_cast<double>(row.keys));
        score.rows.push_back(row);
    }
    return score;
}

report_part score_part(const suite_score& score, const std::string& reference) {
    report_part part{.title = title_of_score(score, reference),
                     .rows = {{"metric", "score", "keys", "changed", "within their noise"}},
                     .lines = score.faults};
    for (const score_row& row : score.rows)
        part.rows.push_back({detail::single_line(row.metric), fmt::format("{:.0f}", row.score),
                             std::to_string(row.keys), std::to_string(row.changed), std::to_string(row.unclear)});
    part.lines.insert(part.lines.end(), score.notes.begin(), score.notes.end());
    return part;
}

}  // namespace perfspec::tool
