// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Registers the command `export` with CLI11.

#include "../program.hpp"
#include "../reports/report.hpp"
#include "exports.hpp"

#include <perfspec/plan/resolve.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace perfspec::tool {
namespace {

/// A format by its name on the command line.
struct export_format {
    const char* name;
    exported (*write)(std::span<const record>);
};
constexpr export_format formats[] = {
    {"pytorch", to_pytorch}, {"torchbench", to_torchbench}, {"csv", to_csv}, {"junit", to_junit}};

struct export_options {
    std::vector<std::string> results;
    std::string format;
    std::string out;
    bool all_runs{};
};

/// Writes the results in another program's format, and says how many of them it has no place for.
outcome run_export(const export_options& o, const command_context& context) {
    const auto texts = context.read_results_files(o.results);
    const told_apart runs = is_ci(context.around.variables) ? told_apart::not_at_all : told_apart::by_process;
    const results found = o.all_runs ? read_results(texts) : newest_results(read_results(texts), runs);
    const std::vector<record> records = records_of(found);
    const exported done = std::ranges::find(formats, std::string_view(o.format), &export_format::name)->write(records);
    write_file(context.around, o.out, done.text);
    outcome told{notes_text(found)};
    told.text += fmt::format("{} of {} written to {} as {}\n", records.size() - done.left_out,
                             counted(records.size(), "result"), o.out, o.format);
    if (done.left_out > 0)
        told.text +=
            fmt::format("left out, because the format has no place for them: {} with {}\n", done.left_out, done.why);
    return told;
}

}  // namespace

void add_export(CLI::App& app, command_context& context) {
    auto* command = app.add_subcommand("export", "Writes results in the format of another program.");
    const auto o = std::make_shared<export_options>();
    std::vector<std::string> names;
    for (const export_format& format : formats) names.emplace_back(format.name);
    command->add_option("RESULTS", o->results, "files that --perf-output wrote")->required();
    command->add_option("--format", o->format, "pytorch, torchbench, csv or junit")
        ->type_name("FORMAT")
        ->required()
        ->check(CLI::IsMember(names));
    command->add_option("-o,--output", o->out, "the file to write; it is replaced")->type_name("FILE")->required();
    command->add_flag("--all-runs", o->all_runs, "writes the results of all runs, not only the newest of each key");
    command->footer(
        R"(pytorch     records of PyTorch's OSS benchmark database, schema v3
torchbench  userbenchmark JSON of TorchBench
csv         a line for each result, in base units (ns, bytes)
junit       JUnit XML with the numbers of every claim, also of those that hold

If several runs are among the results, the newest run of each key counts, unless --all-runs asks for all.

Exit codes: 0 written; 4 the input is unusable, or the file cannot be written.

Examples:
  perfspec export runs/*.jsonl --all-runs --format csv -o history.csv)");
    command->callback([o, &context] { context.done = run_export(*o, context); });
}

}  // namespace perfspec::tool
