// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/claim/commands.hpp>
#include <perfspec/claim/readings-inl.hpp>
#include <perfspec/claim/requested_settings-inl.hpp>
#include <perfspec/claim/stores.hpp>
#include <perfspec/report/shell.hpp>
#include <perfspec/session/session.hpp>
#include <perfspec/stats/rank_test.hpp>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// The settings that the run requests, as a variable before a command: "PERFSPEC_WITH=batch=8,threads=2 ".
inline std::string settings_of_run(const claim_context& context) {
    std::string text;
    for (const auto& [name, value] : requested_settings_of(context.plan).axes())
        text += (text.empty() ? "PERFSPEC_WITH=" : ",") + name + "=" + value;
    return text.empty() ? text : text + " ";
}

std::string run_again(const claim_context& context) {
    if (const std::string own = context.framework.command(context.position); !own.empty())
        return settings_of_run(context) + own;
    const std::string& build = context.run.project().build;
    if (!build.empty()) {  // an absolute path, because users paste the command in any folder
        return settings_of_run(context) + "ctest --test-dir " + shell_quoted(build) + " -R " +
               shell_quoted(ctest_pattern(context.run.project().prefix, context.position.test)) +
               " --output-on-failure";
    }
    return settings_of_run(context) + shell_quoted(context.run.system().start.executable) + " " +
           shell_quoted(context.framework.test_filter(context.position));
}

/// A folder relative to the top of its repository; unchanged if it is in no repository.
[[nodiscard]] inline std::string from_repository(const file_system& files, const std::string& folder) {
    const std::filesystem::path path = folder;
    for (auto above = path.parent_path(); !above.empty(); above = above.parent_path()) {
        const std::string git = (above / ".git").string();
        if (files.is_folder(git) || files.read(git, 1U << 20).outcome == read_outcome::complete)
            return path.lexically_relative(above).string();
        if (above == above.parent_path()) break;
    }
    return folder;
}

/// Whether there are enough processes for a baseline, and this run did not store them.
[[nodiscard]] inline bool has_processes_to_accept(const claim_result& result) {
    const auto& processes = result.baseline;
    const bool stored_here = processes && processes->action != baseline_action::compared &&
                             processes->action != baseline_action::would_be_recorded;
    const bool is_undecided =
        result.verdict == verdict::undecided || result.verdict == verdict::holds;  // neither shows a change
    return processes && processes->taken.size() >= stored_rank_test::min_stored && !stored_here && !is_undecided;
}

std::string accept_from_results(const claim_context& context, const claim_result& result) {
    if (context.plan.output.empty() || !has_processes_to_accept(result)) return {};
    const auto committed = find_committed_folder(context.run.paths(context.plan), context.run.system().files);
    const std::string folder =
        committed ? from_repository(context.run.system().files, *committed) : std::string("baselines");
    return "perfspec accept " + shell_quoted(std::filesystem::path(context.plan.output).filename().string()) +
           " --baseline-dir " + shell_quoted(folder);
}

std::string update_variables(const claim_context& context, std::string_view file, std::string_view mode) {
    const std::string update = "PERFSPEC_UPDATE_BASELINES=" + std::string(mode);
    const bool is_local = context.plan.ci != ci_rules::on && file == local_store(context).path();
    const std::string folder = is_local ? local_folder(context.run.paths(context.plan), context.run.system().files)
                                        : context.plan.baseline_dir;
    return folder.empty() ? update : "PERFSPEC_BASELINE_DIR=" + shell_quoted(folder) + " " + update;
}

using text_pairs = std::vector<std::pair<std::string, std::string>>;

inline void add_commands_of_test(const claim_context& context, const claim_result& result, text_pairs& commands) {
    const std::string against =
        context.plan.baseline_build.empty()
            ? ""
            : "PERFSPEC_BASELINE_BUILD=" + shell_quoted(absolute_path(context.run, context.plan.baseline_build)) + " ";
    const std::string again = against + run_again(context);
    commands.emplace_back("again", again);
    const bool shows_change = result.verdict == verdict::violated;
    if (context.is_against_baseline() && shows_change && context.plan.baseline_build.empty()) {
        const std::string file = result.baseline ? result.baseline->file : std::string{};
        commands.emplace_back("accept", update_variables(context, file, "1") + " " + again);
    }
}

text_pairs commands_for(const claim_context& context, const claim_result& result) {
    text_pairs commands;
    if (has_succeeded(result.verdict) || result.forecast) return commands;
    if (!context.position.test.empty()) add_commands_of_test(context, result, commands);
    if (std::string accept = accept_from_results(context, result); !accept.empty())
        commands.emplace_back("from CI", std::move(accept));
    return commands;
}

}  // namespace perfspec::inline v0_2::detail
