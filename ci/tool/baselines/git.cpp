// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "baselines.hpp"

#include <perfspec/baseline/baseline_file.hpp>
#include <perfspec/process/child_request.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/process/printable.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>

namespace perfspec::tool {
namespace {

/// The whole standard output is the child's `result`: the launcher alone keeps only the end of it.
child_end run_git(const tool_surroundings& around, std::vector<std::string> arguments) {
    std::vector<std::string> all{"-c", fmt::format("exec git \"$@\" >&{}", child_result_descriptor), "git"};
    all.insert(all.end(), std::make_move_iterator(arguments.begin()), std::make_move_iterator(arguments.end()));
    return around.launcher.run({.executable = "/bin/sh",
                                .arguments = std::move(all),
                                .environment = around.inherited,
                                .working_directory = around.working_directory,
                                .time_out = std::chrono::minutes(1)});
}

bool ended_well(const child_end& end) noexcept { return end.how == child_outcome::exited && end.code == 0; }

/// The last line of what git said, or else how it ended.
std::string last_line_of(const child_end& end) {
    std::string words = end.last_words;
    while (words.ends_with('\n')) words.pop_back();
    return words.empty() ? describe(end) : detail::single_line(words.substr(words.rfind('\n') + 1));
}

/// What git prints. Throws input_error where it fails.
std::string ask_git(const tool_surroundings& around, const std::string& question, std::vector<std::string> arguments) {
    child_end end = run_git(around, std::move(arguments));
    if (!ended_well(end) || end.result.size() > baseline_file::max_bytes)
        throw input_error(fmt::format("git cannot say {}: {}", question, last_line_of(end)));
    return std::move(end.result);
}

/// The commit of a revision. Throws input_error with a remedy where there is none: the text may have been meant as a
/// path.
std::string commit_of(const tool_surroundings& around, const std::string& revision) {
    const child_end end = run_git(around, {"rev-parse", "--verify", "--end-of-options", revision + "^{commit}"});
    if (ended_well(end)) return end.result.substr(0, end.result.find('\n'));
    throw input_error(fmt::format(
        "{} is not a file or folder here, and not a revision of a Git repository around {} ({}), expected one, "
        "such as main, HEAD~1 or baselines; if it is a remote branch, fetch it first:  git fetch origin",
        detail::excerpt(revision), detail::single_line(around.working_directory), last_line_of(end)));
}

/// Whether a row of `git ls-tree -z` is a file in a folder below the folder of baselines: "100644 blob
/// <hash>\t<folder>/<hardware>/<file>".
bool is_baseline_row(std::string_view row, std::string_view path, std::string_view folder) {
    const std::string_view below = path.substr(std::min(path.size(), folder.empty() ? 0 : folder.size() + 1));
    const auto slash = below.rfind('/');
    return row.starts_with("100") && slash != below.npos && is_name_of_baselines(below.substr(slash + 1));
}

/// The path of the folder from the top of the repository. Paths are compared in Git's form, with symbolic links
/// resolved.
std::string folder_from_top(const tool_surroundings& around, const std::filesystem::path& folder) {
    const std::string prefix =
        ask_git(around, "where in the repository this folder lies", {"rev-parse", "--show-prefix"});
    const std::filesystem::path here = prefix.substr(0, prefix.find('\n'));  // "" or "a/b/"
    const auto from_here = folder.is_absolute() ? folder.lexically_relative(around.working_directory) : folder;
    std::string path = (here / from_here).lexically_normal().string();
    if (path == ".." || path.starts_with("../"))
        throw input_error(
            fmt::format("{} is outside the repository, expected a baseline folder in it; name it by --baseline-dir",
                        detail::single_line(folder.string())));
    while (path.ends_with('/')) path.pop_back();
    return path == "." ? std::string{} : path;
}

}  // namespace

std::vector<input_text> baselines_of_revision(const tool_surroundings& around, const std::string& revision,
                                              const std::string& folder) {
    const std::string commit = commit_of(around, revision);
    const std::string below = folder_from_top(around, folder);
    std::vector<std::string> arguments{"ls-tree", "-r", "-z", "--full-tree", commit};
    if (!below.empty()) arguments.push_back(below + "/");
    const std::string listing = ask_git(around, "what " + detail::excerpt(revision) + " holds", std::move(arguments));
    std::vector<input_text> texts;
    for (std::string_view rest = listing; !rest.empty();) {
        const std::string_view row = rest.substr(0, rest.find('\0'));
        rest.remove_prefix(std::min(rest.size(), row.size() + 1));
        const auto tab = std::min(row.find('\t'), row.size());
        const std::string path(row.substr(std::min(tab + 1, row.size())));
        if (!is_baseline_row(row, path, below)) continue;
        const auto blank = row.rfind(' ', tab);
        texts.push_back({revision + ":" + path,
                         ask_git(around, fmt::format("what {} holds", detail::single_line(revision + ":" + path)),
                                 {"cat-file", "blob", std::string(row.substr(blank + 1, tab - blank - 1))})});
    }
    return texts;
}

}  // namespace perfspec::tool
