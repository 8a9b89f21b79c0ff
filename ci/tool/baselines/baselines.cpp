// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The commands `perfspec baselines …`.

#include "baselines.hpp"

#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/baseline/project_file.hpp>
#include <perfspec/baseline/sessions/recording_session.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/stats/rank_test.hpp>
#include <perfspec/stats/summary.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

namespace perfspec::tool {
namespace {

std::vector<std::string> row_of(const baseline_entry& entry) {
    const bool few = entry.processes.size() < stored_rank_test::min_stored;
    return {detail::single_line(entry.key),
            median_text(entry),
            std::to_string(entry.processes.size()) + (few ? " (too few)" : ""),
            std::to_string(comparable_processes_of(entry.processes, entry.unit).sessions),
            day_of(newest_of(entry.processes)),
            detectable_text(entry)};
}

/// The fault of a file of baselines, or of its place; none if it is valid. Adds the number of its keys.
std::optional<std::string> fault_of_text(const input_text& text, const std::string& folder, std::size_t& keys) {
    baseline_file file;
    try {
        file = parse_baseline_file(text.text, text.path);
    } catch (const input_error& error) { return error.what(); }
    keys += file.entries.size();
    const std::string expected = path_of({folder, file.hardware, file.variant, file.suite});
    if (expected != text.path)
        return fmt::format("{}: this file is of {}, expected at {}\n  move it there, or remove it and record again",
                           detail::single_line(text.path), title_of(file), detail::single_line(expected));
    if (render_baseline_file(file) == text.text) return {};
    return fmt::format(
        "{}: the file was edited, expected keys in byte order and one recording session in each line, as perfspec "
        "writes it\n"
        "  update or accept one of its keys to write it again, or restore it from version control",
        detail::single_line(text.path));
}

void verify_project_file(outcome& done, const std::string& folder, const tool_system& system) {
    try {
        const auto [options, waivers] = read_project_file(system.files, folder);
        if (!options.empty())
            done.text += fmt::format("{}: {}\n", project_file::name, counted(options.size(), "option"));
        for (const waiver& w : waivers)
            done.text += fmt::format(
                "{}: {} {}: {}, {} ({})\n", detail::single_line(w.place),
                system.now.substr(0, w.until.size()) > w.until ? "its waiver ended on" : "waived until", w.until,
                detail::single_line(w.key), detail::single_line(w.reason), detail::single_line(w.owner));
    } catch (const input_error& error) {
        done.text += std::string(error.what()) + '\n';
        done.code = exit_code::error;
    }
}

/// Every entry whose key matches the pattern: median, processes, recording sessions, day of the newest, and the change
/// that it detects.
outcome list_baselines(std::span<const located_file> files, std::string_view pattern) {
    outcome done;
    std::size_t keys = 0;
    for (const located_file& in : files) {
        table_rows rows{{"key", "median", "processes", "sessions", "newest", "detects"}};
        for (const baseline_entry& entry : in.file.entries)
            if (contains_pattern(entry.key, pattern)) rows.push_back(row_of(entry));
        if (rows.size() == 1) continue;
        keys += rows.size() - 1;
        done.text +=
            fmt::format("{}\n  {}\n{}", detail::single_line(in.path), title_of(in.file), table_text(rows, "  "));
    }
    done.text += fmt::format("{} in {}\n", counted(keys, "key"), counted(files.size(), "file"));
    return done;
}

/// Checks that every text is a file of baselines, at the path of its address below the folder, and as perfspec writes
/// it. Checks the folder's perfspec.json, too. The code is `error` if one has a fault.
outcome verify_baselines(std::span<const input_text> texts, const std::string& folder, const tool_system& system) {
    outcome done;
    std::size_t keys = 0;
    std::size_t faults = 0;
    for (const input_text& text : texts) {
        const auto fault = fault_of_text(text, folder, keys);
        if (!fault) continue;
        ++faults;
        done.text += *fault + '\n';
    }
    if (faults > 0) done.code = exit_code::error;
    done.text += fmt::format("{}, {}: {}\n", counted(texts.size(), "file"), counted(keys, "key"),
                             faults == 0 ? std::string("no faults") : counted(faults, "fault"));
    verify_project_file(done, folder, system);
    return done;
}

/// The options and arguments that most of these commands share.
struct options {
    std::string folder;
    std::string pattern;
};

std::shared_ptr<options> with_folder(CLI::App* command) {
    auto o = std::make_shared<options>();
    command
        ->add_option("--baseline-dir", o->folder,
                     "baseline folder  [PERFSPEC_BASELINE_DIR, else the nearest \"baselines\" upwards]")
        ->type_name("FOLDER");
    return o;
}

/// Reads the texts below the folder. Throws input_error if there are none: it is the wrong folder.
std::vector<input_text> texts_below(const std::string& folder, const command_context& context) {
    auto texts = context.read_baselines(folder);
    if (!texts.empty()) return texts;
    const std::string name = detail::single_line(folder);
    throw input_error(fmt::format(
        "{}: there are no baselines in it, expected files such as {}/<hardware>/<suite>.json. Name another folder by "
        "--baseline-dir, or record some:  PERFSPEC_UPDATE_BASELINES=1 ctest",
        name, name));
}

/// Parses the files below the folder that the options name, or below the nearest one.
std::vector<located_file> files_of(const options& o, const command_context& context) {
    std::vector<located_file> files;
    for (const input_text& text : texts_below(context.baseline_dir(o.folder), context))
        files.push_back({text.path, parse_baseline_file(text.text, text.path)});
    return files;
}

void add_list(CLI::App& group, command_context& context) {
    auto* command = group.add_subcommand(
        "list", "Lists every stored key: median, processes, recording sessions, newest day, detectable change.");
    const auto o = with_folder(command);
    command->add_option("PATTERN", o->pattern, "only keys that contain this; * stands for any text");
    command->footer("Examples:\n  perfspec baselines list\n  perfspec baselines list 'latency(sort'");
    command->callback([o, &context] { context.done = list_baselines(files_of(*o, context), o->pattern); });
}

void add_verify(CLI::App& group, command_context& context) {
    auto* command = group.add_subcommand(
        "verify", "Checks that every file of baselines is valid, canonical and in the right folder.");
    const auto o = with_folder(command);
    command->footer(
        "\nExit codes: 0 no faults; 2 wrong input, such as no files; 4 a fault.\n\nExamples:\n  perfspec baselines verify --baseline-dir baselines");
    command->callback([o, &context] {
        const std::string folder = context.baseline_dir(o->folder);
        const bool has_options =
            context.system.files.read(fmt::format("{}/{}", folder, project_file::name), project_file::max_bytes)
                .outcome != read_outcome::missing;
        const auto texts = has_options ? context.read_baselines(folder) : texts_below(folder, context);
        context.done = verify_baselines(texts, folder, context.system);
    });
}

}  // namespace

std::string title_of(const baseline_file& file) {
    const std::string variant = file.variant.empty() ? "" : ", variant " + detail::single_line(file.variant);
    return fmt::format("{} on {}{}", detail::single_line(file.suite), detail::single_line(file.hardware), variant);
}

std::string median_text(const baseline_entry& entry) {
    return value_text(median(values_of(entry.processes)), entry.unit);
}

std::string detectable_text(const baseline_entry& entry) {
    const bool is_less = entry.direction == better::less;
    const auto change = detectable_by(comparable_processes_of(entry.processes, entry.unit),
                                      is_less ? direction::less : direction::more);
    if (!change || !std::isfinite(*change)) return "-";
    if (entry.unit == base_unit(dimension::power)) return fmt::format("{:+.2f}", std::log1p(*change));
    return format_change(is_less ? *change : -*change);
}

const std::string& newest_of(std::span<const stored_process> processes) {
    return std::ranges::max_element(processes, {}, &stored_process::time)->time;
}

void add_baselines(CLI::App& app, command_context& context) {
    auto* group = app.add_subcommand("baselines", "Lists and verifies stored baselines.");
    group->require_subcommand(1);
    add_list(*group, context);
    add_verify(*group, context);
}

}  // namespace perfspec::tool
