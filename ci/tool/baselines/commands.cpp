// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Registers the commands `perfspec baselines …` with CLI11.

#include "baselines.hpp"

#include <perfspec/baseline/project_file.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

namespace perfspec::tool {
namespace {

/// The options and arguments that most of these commands share.
struct options {
    std::string folder;
    std::string pattern;
    std::string rate = "0.001";
};

std::shared_ptr<options> with_folder(CLI::App* command) {
    auto o = std::make_shared<options>();
    command
        ->add_option("--baseline-dir", o->folder,
                     "baseline folder  [PERFSPEC_BASELINE_DIR, else the nearest \"baselines\" upwards]")
        ->type_name("FOLDER");
    return o;
}

/// Reads the texts below the folder. Throws input_error where there are none: it is the wrong folder.
std::vector<input_text> texts_below(const std::string& folder, const command_context& context) {
    auto texts = context.read_baselines(folder);
    if (!texts.empty()) return texts;
    const std::string name = detail::single_line(folder);
    throw input_error(fmt::format(
        "{}: no baselines in it, expected files such as {}/<hardware>/<suite>.json; name the folder by --baseline-dir, or "
        "record some:  PERFSPEC_UPDATE_BASELINES=1 ctest",
        name, name));
}

/// Parses the files below the given folder, or the one that was found.
std::vector<located_file> files_of(const options& o, const command_context& context) {
    std::vector<located_file> files;
    for (const input_text& text : texts_below(context.baseline_dir(o.folder), context))
        files.push_back({text.path, parse_baseline_file(text.text, text.path)});
    return files;
}

void add_list(CLI::App& group, command_context& context) {
    auto* command = group.add_subcommand(
        "list", "Lists every stored key: median, launches, recording sessions, age, detectable change.");
    const auto o = with_folder(command);
    command->add_option("PATTERN", o->pattern, "only keys that contain this; * stands for any text");
    command->footer("Examples:\n  perfspec baselines list\n  perfspec baselines list 'latency(sort'");
    command->callback(
        [o, &context] { context.done = list_baselines(files_of(*o, context), o->pattern, context.around.now); });
}

void add_verify(CLI::App& group, command_context& context) {
    auto* command = group.add_subcommand(
        "verify", "Checks that every file of baselines is valid, canonical and in the right folder.");
    const auto o = with_folder(command);
    command->footer(
        "\nExit codes: 0 no faults; 4 a fault, or no files.\n\nExamples:\n  perfspec baselines verify --baseline-dir baselines");
    command->callback([o, &context] {
        const std::string folder = context.baseline_dir(o->folder);
        const bool has_options =
            context.around.files.read(fmt::format("{}/{}", folder, project_file::name), project_file::max_bytes)
                .outcome != read_outcome::missing;
        const auto texts = has_options ? context.read_baselines(folder) : texts_below(folder, context);
        context.done = verify_baselines(texts, folder, context.around);
    });
}

void add_suggest(CLI::App& group, command_context& context) {
    auto* command = group.add_subcommand(
        "suggest", "Prints the tightest bound that the stored launches of each key support, as code.");
    const auto o = with_folder(command);
    command->add_option("PATTERN", o->pattern, "only keys that contain this; * stands for any text");
    command->add_option("--false-failure", o->rate, "how often unchanged code may fail  [0.001]")->type_name("RATE");
    command->footer(
        "\nFor each bound, 2000 runs are drawn from the launches of each recording session: at most the given rate of them fails,\n"
        "and at least 95 % hold. A key with one session gets no bound, because one session does not show how the machine drifts.\n"
        "\nExamples:\n"
        "  perfspec baselines suggest 'latency(inductor)'");
    command->callback([o, &context] {
        context.done = suggest_bounds(files_of(*o, context), o->pattern, parse_share("--false-failure", o->rate));
    });
}

}  // namespace

void add_baselines(CLI::App& app, command_context& context) {
    auto* group = app.add_subcommand("baselines", "Lists and verifies stored baselines; suggests bounds.");
    group->require_subcommand(1);
    add_list(*group, context);
    add_verify(*group, context);
    add_suggest(*group, context);
}

}  // namespace perfspec::tool
