// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/locate.hpp>
#include <perfspec/judge/against_baseline/stored_claim.hpp>
#include <perfspec/judge/asked_settings-inl.hpp>
#include <perfspec/judge/commands.hpp>
#include <perfspec/stats/rank_test.hpp>

#include <filesystem>
#include <utility>

namespace perfspec {

std::string shell_quoted(std::string_view text) {
    std::string quoted = "'";
    for (const char c : text) {
        if (c == '\'') {
            quoted += "'\\''";
        } else {
            quoted += c;
        }
    }
    return quoted + "'";
}

namespace detail {

inline std::string literal_pattern(std::string_view text) {
    constexpr std::string_view special = R"(\^$.|?*+()[])";
    std::string pattern;
    for (const char c : text) {
        if (special.find(c) != std::string_view::npos) pattern += '\\';
        pattern += c;
    }
    return pattern;
}

}  // namespace detail

std::string ctest_pattern(std::string_view prefix, std::string_view name) {
    const std::string_view kept = prefix.substr(0, prefix.find_last_not_of(' ') + 1);
    const std::string blank = kept.size() < prefix.size() ? " ?" : "";
    return "^" + detail::literal_pattern(kept) + blank + detail::literal_pattern(name) + "$";
}

namespace detail {

/// The settings that the run asks for, as variables before a command: "PERFSPEC_BATCH=8 ".
inline std::string settings_of_run(const claim_context& context) {
    std::string text;
    for (auto [name, value] : settings_asked_by(context.plan).axes()) {
        for (char& c : name) c = static_cast<char>(c - 'a' + 'A');
        text += "PERFSPEC_" + name + "=" + value + " ";
    }
    return text;
}

std::string run_again(const claim_context& context) {
    const std::string& build = context.run.project().build;
    if (!build.empty()) {  // the whole path, because the user may paste the command into a shell in any folder
        return settings_of_run(context) + "ctest --test-dir " + shell_quoted(build) + " -R " +
               shell_quoted(ctest_pattern(context.run.project().prefix, context.position.test)) +
               " --output-on-failure";
    }
    return settings_of_run(context) + shell_quoted(context.run.system().start.executable) + " " +
           shell_quoted(context.framework.test_filter(context.position));
}

std::string absolute_path(const session& run, const std::string& given) {
    return (std::filesystem::path(run.system().start.working_directory) / given).lexically_normal().string();
}

std::string from_repository(const file_system& files, const std::string& folder) {
    const std::filesystem::path path = folder;
    for (auto above = path.parent_path(); !above.empty(); above = above.parent_path()) {
        const std::string git = (above / ".git").string();
        if (files.is_folder(git) || files.read(git, 1U << 20).outcome == read_outcome::complete)
            return path.lexically_relative(above).string();
        if (above == above.parent_path()) break;
    }
    return folder;
}

/// Whether there are enough launches for a baseline, and this run did not store them.
[[nodiscard]] inline bool has_launches_to_accept(const claim_result& result) {
    const auto& launches = result.baseline;
    const bool stored_here = launches && launches->action != baseline_action::compared &&
                             launches->action != baseline_action::would_be_recorded;
    const bool is_undecided =
        result.verdict == verdict::undecided || result.verdict == verdict::holds;  // neither shows a move
    return launches && launches->taken.size() >= stored_rank_test::min_stored && !stored_here && !is_undecided;
}

std::string accept_from_results(const claim_context& context, const claim_result& result) {
    if (context.plan.output.empty() || !has_launches_to_accept(result)) return {};
    const auto committed = find_committed_folder(context.run.paths(context.plan), context.run.system().files);
    const auto from_top = [&](const std::string& folder) {
        return from_repository(context.run.system().files, folder);
    };
    const std::string folder = !context.plan.baseline_dir.empty()
                                   ? from_top(absolute_path(context.run, context.plan.baseline_dir))
                               : committed ? from_top(committed->path)
                                           : "baselines";
    return "perfspec accept " + shell_quoted(std::filesystem::path(context.plan.output).filename().string()) +
           " --baseline-dir " + shell_quoted(folder);
}

inline void add_commands_of_test(const claim_context& context, const claim_result& result, text_pairs& commands) {
    const std::string against =
        context.plan.against.empty()
            ? ""
            : "PERFSPEC_AGAINST=" + shell_quoted(absolute_path(context.run, context.plan.against)) + " ";
    const std::string again = against + run_again(context);
    commands.emplace_back("again", again);
    const bool shows_change = result.verdict == verdict::violated;
    if (context.is_against_baseline() && shows_change && context.plan.against.empty()) {
        const std::string file = result.baseline ? result.baseline->file : std::string{};
        commands.emplace_back("accept", update_variables(context, file, "1") + " " + again);
    }
}

text_pairs commands_for(const claim_context& context, const claim_result& result) {
    text_pairs commands;
    if (result.verdict == verdict::holds || result.planned) return commands;
    if (!context.position.test.empty()) add_commands_of_test(context, result, commands);
    if (std::string accept = accept_from_results(context, result); !accept.empty())
        commands.emplace_back("from CI", std::move(accept));
    return commands;
}

}  // namespace detail
}  // namespace perfspec
