// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Registers the commands on results with CLI11.

#include "program.hpp"
#include "results/compare.hpp"
#include "results/results.hpp"

#include <perfspec/gpu/gpu_machine.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <optional>

namespace perfspec::tool {
namespace {

std::string ctest_resources(gpu_machine& gpus) {
    const gpu_count available = gpus.count();
    if (available.gpus == 0)
        throw input_error(fmt::format(
            "no GPU can be used ({}), so ctest cannot give one to a test: leave out --ctest-resources, and each test "
            "runs with the GPUs that it finds",
            available.fault));
    std::string list;
    for (int ordinal = 0; ordinal < available.gpus; ++ordinal) {
        const std::string& uuid = gpus.of_cuda(ordinal).uuid;
        const std::string id = uuid.empty() ? std::to_string(ordinal) : detail::resource_id_of(uuid);
        list += fmt::format("{}{{\"id\": \"{}\", \"slots\": 1}}", list.empty() ? "" : ", ", id);
    }
    return fmt::format("{{\"version\": {{\"major\": 1, \"minor\": 0}}, \"local\": [{{\"gpus\": [{}]}}]}}\n", list);
}

}  // namespace

void add_doctor(CLI::App& app, command_context& context) {
    auto* command = app.add_subcommand(
        "doctor", "Shows what affects measurements on this machine, as --perf-doctor of a test program does.");
    const auto file = std::make_shared<std::string>();
    command
        ->add_option("--ctest-resources", *file,
                     "instead write the resource file with which ctest gives each test its own GPU; - prints it")
        ->type_name("FILE");
    command->footer(
        R"(It measures for some seconds which slowdowns this machine can detect, and examines its processors and GPUs.

Exit codes: 0; 2 wrong input, or no GPU can be used.

Examples:
  perfspec doctor
  perfspec doctor --ctest-resources gpus.json && ctest --test-dir build --resource-spec-file "$PWD/gpus.json")");
    command->callback([file, &context] {
        if (file->empty()) {
            context.done.text = context.system.examine_machine();
            return;
        }
        if (context.system.gpus == nullptr) throw input_error("this system cannot list GPUs");
        gpu_machine& gpus = *context.system.gpus;
        if (*file == "-") context.done.text = ctest_resources(gpus);
        else write_file(context.system, *file, ctest_resources(gpus));
    });
}

void write_file(const tool_system& system, const std::string& path, std::string_view text) {
    try {
        system.write_output_file(path, text);
    } catch (const file_error& error) {
        throw input_error(
            fmt::format("{}: {}; name a file that can be written", detail::single_line(path), error.reason));
    }
}

void add_compare(CLI::App& app, command_context& context) {
    struct options {
        std::string before;
        std::string after;
        std::string change;
        bool across_hardware = false;
    };
    auto* command = app.add_subcommand("compare", "Compares the measured values of two runs, key by key.");
    const auto o = std::make_shared<options>();
    command->add_option("OLD", o->before, "results of the old run")->required();
    command->add_option("NEW", o->after, "results of the new run")->required();
    auto* change =
        command
            ->add_option(
                "--change", o->change,
                "exit with 1 if a key is worse or better by more than this, with its whole interval; with 4 if a key "
                "of OLD or NEW cannot be compared")
            ->type_name("PERCENT");
    command
        ->add_flag("--across-hardware", o->across_hardware,
                   "compare two machines, and list what differs besides the hardware")
        ->excludes(change);
    command->footer(
        R"(The interval of a change includes the uncertainty of both runs, but not the drift of the machine between them. To judge a change, write
a claim with a bound.

Exit codes: 0; 2 wrong input. With --change, the first of these that applies:
  4  a key of one run cannot be compared with the other run, or nothing was compared
  1  a key is worse or better by more than --change
  3  the interval of a key is so wide that it may hide a change by a factor of two

Examples:
  perfspec compare main.jsonl branch.jsonl
  perfspec compare main.jsonl branch.jsonl --change 7%
  perfspec compare --across-hardware old-machine.jsonl new-machine.jsonl)");
    command->callback([o, &context] {
        const auto threshold = o->change.empty() ? std::nullopt : std::optional(parse_share("--change", o->change));
        const auto before = context.read_results_files({o->before});
        const auto after = context.read_results_files({o->after});
        const results then = newest_results(read_results(before));
        const results now = newest_results(read_results(after));
        context.done = o->across_hardware ? compare_across_hardware(then, now) : compare(then, now, threshold);
    });
}

void add_merge(CLI::App& app, command_context& context) {
    struct options {
        std::vector<std::string> shards;
        std::string out;
        std::size_t expected = 0;
    };
    auto* command =
        app.add_subcommand("merge", "Merges the results of shards into one file, and checks that they are complete.");
    const auto o = std::make_shared<options>();
    command->add_option("SHARDS", o->shards, "the files of results")->required();
    command->add_option("-o,--output", o->out, "the file to write; an existing file is replaced")
        ->type_name("FILE")
        ->required();
    command->add_option("--shards", o->expected, "how many files there must be")
        ->type_name("N")
        ->check(CLI::Range(1, 1000000));
    command->footer(
        R"(A measurement that started but has no result becomes a result with an error: its process crashed or ran into a time-out. The command
always replaces the file. An empty file means a shard without performance tests.

Exit codes: 0 complete; 2 wrong input; 4 the results are incomplete: a measurement without a result, a line that was cut
short, a shard that is missing or given twice, a claim with results in two files, results of several commits or runs, or no results.

Examples:
  touch shard-$N.jsonl                                in each job, before its tests: a shard without performance tests writes none
  perfspec merge shard-*.jsonl --shards 4 -o results.jsonl && perfspec report results.jsonl)");
    command->callback([o, &context] {
        const auto texts = context.read_results_files(o->shards);
        const auto expected = o->expected == 0 ? std::nullopt : std::optional(o->expected);
        const results input = read_results(texts, empty_file::empty_shard);
        const merged_results all = merge(input, texts, expected);
        write_file(context.system, o->out, all.lines);
        context.done = all.report;
    });
}

}  // namespace perfspec::tool
