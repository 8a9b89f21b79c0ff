// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/run/commands.hpp>
#include <perfspec/run/stored_claim.hpp>
#include <perfspec/stats/stored_rank_test.hpp>

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

std::string run_again(const evaluation& e) {
    const std::string& build = e.context.project().build;
    if (!build.empty()) {  // the whole path: the shell that this is pasted into stands anywhere
        return "ctest --test-dir " + shell_quoted(build) + " -R " +
               shell_quoted(ctest_pattern(e.context.project().prefix, e.position.test)) + " --output-on-failure";
    }
    return shell_quoted(e.context.around().start.executable) + " " + shell_quoted(e.framework.test_filter(e.position));
}

std::string absolute_path(const session& context, const std::string& given) {
    return (std::filesystem::path(context.around().start.working_directory) / given).lexically_normal().string();
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

/// Launches enough for a baseline, that are not stored here.
[[nodiscard]] inline bool has_launches_to_accept(const record& r) {
    const auto& launches = r.baseline;
    const bool stored_here =
        launches && launches->action != baseline_action::compared && launches->action != baseline_action::would_be_recorded;
    return launches && launches->taken.size() >= stored_rank_test::fewest_stored && !stored_here;
}

/// Bits of outputs that PASS, that are not kept here: CI keeps none by itself.
[[nodiscard]] inline bool has_golden_outputs_to_accept(const evaluation& e) {
    const bool kept_here = e.plan.policy == missing_baseline_policy::local && e.out.verdict == verdict::not_judged;
    return e.out.verified && !e.out.verified->fingerprints.empty() && e.plan.update == baseline_update::none && !kept_here;
}

std::string accept_from_results(const evaluation& e) {
    if (e.plan.output.empty() || !(has_launches_to_accept(e.out) || has_golden_outputs_to_accept(e))) return {};
    const auto committed = find_committed_folder(e.context.paths(e.plan), e.context.around().files);
    const auto from_top = [&](const std::string& folder) { return from_repository(e.context.around().files, folder); };
    const std::string folder = !e.plan.baseline_dir.empty() ? from_top(absolute_path(e.context, e.plan.baseline_dir))
                               : committed                  ? from_top(committed->path)
                                                            : "baselines";
    return "perfspec accept " + shell_quoted(std::filesystem::path(e.plan.output).filename().string()) + " --baseline-dir " +
           shell_quoted(folder);
}

inline void add_commands_of_test(evaluation& e) {
    const std::string against =
        e.plan.against.empty() ? "" : "PERFSPEC_AGAINST=" + shell_quoted(absolute_path(e.context, e.plan.against)) + " ";
    const std::string again = against + run_again(e);
    e.out.commands.emplace_back("again", again);
    if (e.tree().bound == bound_kind::baseline && e.out.verdict != verdict::not_judged && e.plan.against.empty()) {
        const std::string file = e.out.baseline ? e.out.baseline->file : std::string{};
        e.out.commands.emplace_back("accept", update_variables(e, file, "1") + " " + again);
    }
}

void add_commands(evaluation& e) {
    if (e.out.verdict == verdict::holds || e.out.planned) return;
    if (!e.position.test.empty()) add_commands_of_test(e);
    if (std::string accept = accept_from_results(e); !accept.empty()) e.out.commands.emplace_back("from CI", std::move(accept));
}

}  // namespace detail
}  // namespace perfspec
