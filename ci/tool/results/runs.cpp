// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "runs.hpp"

#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace perfspec::tool {
namespace {

/// Makes the runs of a machine without an id one run.
void unite_runs(results& all) {
    for (result_line& line : all.lines) line.about.started_by.clear();
}

/// ", 2 of them failed, such as sort / latency(sort)"; empty where none failed.
std::string failures_text(const std::vector<const result_line*>& left_out) {
    const auto failed = [](const result_line* line) { return line->kind == json_line_kind::result && line->about.failed; };
    const auto first = std::ranges::find_if(left_out, failed);
    if (first == left_out.end()) return {};
    return fmt::format(", {} of them failed, such as {}", std::ranges::count_if(left_out, failed),
                       detail::single_line((*first)->about.key));
}

/// Identifies what a newer run replaces: a key. Where there is none, because the claim could not be named, the place in the source counts.
auto replaced_by_runs(const record& r) {
    const std::string source_line = r.key.empty() ? fmt::format("{}:{} {}", r.file, r.line, r.test) : std::string{};
    return std::tuple(run_of(r).first, r.hardware_key, r.build_variant, r.suite, r.key, source_line);
}
using replaced = decltype(replaced_by_runs(record{}));

struct newest_run {
    std::string time;
    run_mark run;
    const result_line* line;

    void consider(const result_line& l) {
        if (line != nullptr && l.about.time < time) return;
        *this = {l.about.time, run_of(l.about), &l};
    }
};

std::string place_and_time(const newest_run& n) { return fmt::format("{}, {}", n.line->place(), detail::single_line(n.time)); }

constexpr std::string_view remedy = "remove old results before a run";

std::string replaced_text(const std::vector<const result_line*>& left_out, const newest_run& by) {
    return fmt::format("{} of older runs left out{}: a newer one has the same keys (such as {}); {}", counted(left_out.size(), "line"),
                       failures_text(left_out), place_and_time(by), remedy);
}

std::string missing_text(std::size_t keys, const newest_run& example, const newest_run& newest) {
    return fmt::format("{} {} of an older run alone, such as {} ({}): the newest run (until {}) did not come to {}; {} if that is meant",
                       counted(keys, "key"), keys == 1 ? "is" : "are", detail::single_line(example.line->about.key),
                       place_and_time(example), detail::single_line(newest.time), keys == 1 ? "it" : "them", remedy);
}

}  // namespace

std::string day_of(std::string_view time) {
    constexpr std::size_t bytes_of_a_day = 10;
    return detail::single_line(time.substr(0, bytes_of_a_day));
}

std::string commit_and_day(std::string_view commit, bool dirty, std::string_view time) {
    if (commit.empty()) return day_of(time);
    constexpr std::size_t letters = 10;
    return fmt::format("{}{} of {}", detail::single_line(commit.substr(0, letters)), dirty ? " with changes" : "", day_of(time));
}

run_mark run_of(const record& r) { return r.run_id.empty() ? run_mark(r.host, r.started_by) : run_mark({}, r.run_id); }

results newest_results(results all, told_apart runs) {
    if (runs == told_apart::not_at_all) unite_runs(all);
    std::map<replaced, newest_run> of_keys;
    std::map<std::string, newest_run> of_machines;  // shards of different machines are not older runs of each other
    for (const result_line& line : all.lines) {
        of_keys[replaced_by_runs(line.about)].consider(line);
        of_machines[run_of(line.about).first].consider(line);
    }
    const auto is_newest = [&](const result_line& line) { return of_keys.at(replaced_by_runs(line.about)).run == run_of(line.about); };
    results newest{.lines = {}, .notes = std::move(all.notes), .cut_short = all.cut_short};
    const newest_run* replaces = nullptr;
    std::vector<const result_line*> replaced_lines;
    for (const result_line& line : all.lines) {
        if (is_newest(line)) {
            newest.lines.push_back(line);
            continue;
        }
        if (replaces == nullptr) replaces = &of_keys.at(replaced_by_runs(line.about));
        replaced_lines.push_back(&line);
    }
    if (replaces != nullptr) newest.notes.push_back(replaced_text(replaced_lines, *replaces));
    std::map<std::string, std::pair<std::size_t, const newest_run*>> missing;
    for (const auto& [key, run] : of_keys) {
        const bool has_no_run = run.time.empty();  // lines of another program
        if (has_no_run || run.run == of_machines.at(run.run.first).run) continue;
        auto& [count, example] = missing[run.run.first];
        if (count++ == 0) example = &run;
    }
    for (const auto& [machine, what] : missing) newest.notes.push_back(missing_text(what.first, *what.second, of_machines.at(machine)));
    return newest;
}

}  // namespace perfspec::tool
