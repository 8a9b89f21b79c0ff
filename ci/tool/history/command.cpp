// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Registers the command `history` with CLI11.

#include "../command_line.hpp"
#include "change_points.hpp"
#include "findings.hpp"
#include "history.hpp"
#include "history_console.hpp"
#include "history_page.hpp"

#include <perfspec/plan/waiver.hpp>
#include <perfspec/process/printable.hpp>
#include <perfspec/quantity/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace perfspec::tool {
namespace {

struct history_options {
    std::vector<std::string> results;
    history_filter wanted;
    std::string html;
    bool change_points = false;
    bool fail_on_creep = false;
};

history read_history(const history_options& o, const command_context& context) {
    if (!o.wanted.since.empty() && !is_day(o.wanted.since))
        throw input_error(fmt::format("--since is {}, expected a day, such as 2026-10-01", detail::excerpt(o.wanted.since)));
    history_reader reader(o.wanted);
    for (const std::string& path : o.results) reader.read(context.read_results_files({path}).front());
    history all = reader.collected();
    if (all.keys.empty()) throw input_error("no result is left, expected at least one; see --filter, --branch and --since");
    return all;
}

outcome run_history(const history_options& o, const command_context& context) {
    history all = read_history(o, context);
    change_points changes;
    if (o.change_points) changes = find_change_points(all.keys, context.around);
    if (!changes.note.empty()) all.notes.push_back(std::move(changes.note));
    const std::vector<key_findings> found = findings_of(all, std::move(changes.of_keys));
    outcome done = history_console(all, found);
    if (!o.html.empty()) write_file(context.around, o.html, history_page(all, found));
    const bool creeps = std::ranges::any_of(found, [](const key_findings& one) { return one.crept.has_value(); });
    if (o.fail_on_creep && creeps) done.code = exit_code::violated;
    return done;
}

}  // namespace

void add_history(CLI::App& app, command_context& context) {
    auto* command = app.add_subcommand("history", "Shows how the keys of many runs developed.");
    const auto o = std::make_shared<history_options>();
    command->add_option("RESULTS", o->results, "files that --perf-output wrote, of any number of runs")->required();
    command->add_option("--html", o->html, "also writes them to FILE as a page for a browser; it loads nothing from elsewhere")
        ->type_name("FILE");
    command->add_option("--filter", o->wanted.keys, "only keys that contain this; * stands for any text")->type_name("PATTERN");
    command->add_option("--branch", o->wanted.branch, "only results of this branch")->type_name("NAME");
    command->add_option("--since", o->wanted.since, "only results of this day and later, such as 2026-10-01")->type_name("DAY");
    command->add_flag("--change-points", o->change_points,
                      "also the runs where a value changed, by Apache Otava, which must be installed; about 0.4 s for each key");
    command->add_flag("--fail-on-creep", o->fail_on_creep, "exit with 2 also if a key creeps");
    command->footer(
        R"(A run is all results with one run id, or those that one process started. Runs are in the order of their first measurement.

violated twice  the claims of a key were violated in both of its last two runs; claims under PERF_WARN count, waived ones do not
creeping        the values became worse by 2 % or more since the first baseline, and their order shows that this is no chance;
                of the keys named, 5 % on average are named by chance at most
missing         a newer run on the same machine has no result of the key
changed         Apache Otava finds a change point

A line that was cut short is left out with a note.

Exit codes: 0; 2 a key was violated twice, or creeps where --fail-on-creep is given; 4 the input is unusable.

Examples:
  perfspec history runs/*.jsonl
  perfspec history runs/*.jsonl --branch main --html history.html
  perfspec history runs/*.jsonl --since 2026-10-01 --filter 'sort / *latency' --change-points)");
    command->callback([o, &context] { context.done = run_history(*o, context); });
}

}  // namespace perfspec::tool
