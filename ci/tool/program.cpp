// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "program.hpp"
#include "baselines/baselines.hpp"

#include <perfspec/baseline/baseline_file.hpp>
#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace perfspec::tool {
namespace {

constexpr const char* description =
    "perfspec reads the results of performance tests (--perf-output, PERFSPEC_OUTPUT) and manages their baselines.";

constexpr const char* footer =
    R"(Exit codes: 0 fine, 1 violated, 2 wrong input (command line or files), 3 more undecided, skipped or new claims than allowed, 4 errors or incomplete results.

Examples:
  PERFSPEC_OUTPUT=$PWD/results.jsonl ctest --test-dir build   run the tests, which write results
  perfspec report results.jsonl                               show the results
  perfspec accept results.jsonl                               store their processes as baselines
  perfspec accept --help                                      explain a command)";

int code_of(exit_code code) noexcept { return static_cast<int>(code); }

void add_commands(CLI::App& app, command_context& context) {
    app.name("perfspec");
    app.footer(footer);
    app.set_version_flag("--version", "perfspec " PERFSPEC_TOOL_VERSION);
    app.get_formatter()->column_width(32);
    app.require_subcommand(1);
    add_accept(app, context);
    add_baselines(app, context);
    add_compare(app, context);
    add_doctor(app, context);
    add_export(app, context);
    add_history(app, context);
    add_judge(app, context);
    add_merge(app, context);
    add_report(app, context);
}

}  // namespace

std::vector<input_text> command_context::read(const std::vector<std::string>& paths, std::size_t max_bytes) const {
    std::vector<input_text> texts;
    for (const std::string& path : paths) {
        file_text read = system.files.read(path, max_bytes);
        if (read.outcome != read_outcome::complete)
            throw input_error(fmt::format("{}: {}, expected a file that can be read", detail::single_line(path),
                                          read.outcome == read_outcome::missing ? "no such file" : read.reason));
        texts.push_back({path, std::move(read.text)});
    }
    return texts;
}

std::vector<input_text> command_context::read_results_files(const std::vector<std::string>& paths) const {
    return read(paths, max_bytes_of_results);
}

std::vector<input_text> command_context::read_baselines(const std::string& folder_or_file) const {
    const bool folder = system.files.is_folder(folder_or_file);
    return read(folder ? system.baseline_files_below(folder_or_file) : std::vector{folder_or_file},
                baseline_file::max_bytes);
}

std::string command_context::baseline_dir(const std::string& option) const {
    const std::string named = option.empty() ? system.variables.get("PERFSPEC_BASELINE_DIR").value_or("") : option;
    const auto found =
        find_committed_folder({.baseline_dir = named, .working_directory = system.working_directory}, system.files);
    if (found) return *found;
    throw input_error(fmt::format(
        "there is no folder \"baselines\" in {} or above: name one by --baseline-dir baselines, which creates it",
        detail::single_line(system.working_directory)));
}

double parse_share(const std::string& option, const std::string& text) {
    const double share = parse_fraction(text).value_or(-1.0);
    if (!(share >= 0.0 && share <= 1.0))
        throw input_error(
            fmt::format("{} is {}, expected 0% to 100%, such as 10% or 0.1", option, detail::excerpt(text)));
    if (share == 1.0 && parse_number(text))
        throw input_error(fmt::format("{} is {}, which may mean one percent or all: write 1% or 100%", option,
                                      detail::excerpt(text)));
    return share;
}

program_end run_program(std::vector<std::string> arguments, const tool_system& system) {
    command_context context{system};
    CLI::App app(description);
    add_commands(app, context);
    std::reverse(arguments.begin(), arguments.end());  // CLI11 expects them in reverse
    try {
        app.parse(std::move(arguments));
        return {code_of(context.done.code), std::move(context.done.text), {}};
    } catch (const CLI::CallForHelp&) {
        return {0, app.help() + '\n', {}};
    } catch (const CLI::CallForVersion& version) {
        return {0, std::string(version.what()) + '\n', {}};
    } catch (const CLI::ParseError& wrong) {
        return {code_of(exit_code::wrong_input),
                {},
                fmt::format("perfspec: {}\n  perfspec --help and perfspec COMMAND --help show the options\n",
                            wrong.what())};
    } catch (const failed_midway& stopped) {
        return {code_of(exit_code::error), stopped.report, fmt::format("perfspec: {}\n", stopped.what())};
    } catch (const input_error& wrong) {
        return {code_of(exit_code::wrong_input), {}, fmt::format("perfspec: {}\n", wrong.what())};
    }
}

}  // namespace perfspec::tool
