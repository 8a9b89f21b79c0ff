// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include "git.hpp"

#include "../run_captured.hpp"

#include <perfspec/baseline/baseline_file.hpp>
#include <perfspec/process/printable.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string_view>
#include <utility>

namespace perfspec::tool {
namespace {

child_end run_git(const tool_surroundings& around, std::vector<std::string> arguments) {
    return run_captured(around, "git", std::move(arguments), std::chrono::minutes(1));
}

[[noreturn]] void fail(const std::string& what, const child_end& end) {
    throw input_error(fmt::format("git cannot say {}: {}", what, last_line_of(end)));
}

/// Throws input_error with a remedy where there is no repository. The given text may have been meant as a path.
void require_repository(const tool_surroundings& around, const std::string& given) {
    const child_end end = run_git(around, {"rev-parse", "--is-inside-work-tree"});
    if (ended_well(end) && end.result.starts_with("true")) return;
    const std::string shown = detail::excerpt(given);
    if (end.how == child_outcome::exited && end.code == code_of_no_such_program)
        throw input_error(fmt::format(
            "{} is not a file or folder here, and Git is not installed, so it cannot be a revision; name a file or a folder, or install "
            "Git",
            shown));
    throw input_error(fmt::format(
        "{} is not a file or folder here, and {} is not in a Git working tree ({}), so it cannot be a revision; name a file or a "
        "folder, or run this in the repository",
        shown, detail::single_line(around.working_directory), ended_well(end) ? "it is in a bare one" : last_line_of(end)));
}

std::string commit_of(const tool_surroundings& around, const std::string& revision) {
    const child_end end = run_git(around, {"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"});
    if (!ended_well(end) || end.result.empty())
        throw input_error(fmt::format(
            "{} is not a file, a folder or a revision of this repository, expected one, such as main, HEAD~1 or baselines; if it is a "
            "remote branch, fetch it first:  git fetch origin",
            detail::excerpt(revision)));
    return end.result.substr(0, end.result.find('\n'));
}

/// A file of a tree in the output of `git ls-tree -z`: "100644 blob <hash>\t<path>".
struct tree_file {
    std::string hash;
    std::string path;  ///< from the top of the repository
};

std::vector<tree_file> files_of_tree(std::string_view listing) {
    std::vector<tree_file> files;
    while (!listing.empty()) {
        const std::string_view row = listing.substr(0, listing.find('\0'));
        listing.remove_prefix(std::min(listing.size(), row.size() + 1));
        const auto tab = row.find('\t');
        const bool is_regular_file = row.starts_with("100") && row.find(" blob ") < tab && tab != row.npos;
        if (!is_regular_file) continue;
        const auto blank = row.rfind(' ', tab);
        files.push_back({std::string(row.substr(blank + 1, tab - blank - 1)), std::string(row.substr(tab + 1))});
    }
    return files;
}

/// Whether a path can be a baseline file: in a folder below the folder of baselines, and not hidden.
bool is_baseline_path(std::string_view path, std::string_view folder) {
    const std::string_view below = path.substr(std::min(path.size(), folder.empty() ? 0 : folder.size() + 1));
    const auto slash = below.rfind('/');
    return slash != below.npos && is_name_of_baselines(below.substr(slash + 1));
}

/// The path of the folder from the top of the repository. Paths are compared in Git's form, with symbolic links resolved.
std::string folder_from_top(const tool_surroundings& around, const std::string& folder) {
    const child_end end = run_git(around, {"rev-parse", "--show-prefix"});
    if (!ended_well(end)) fail("where in the repository this folder lies", end);
    const std::filesystem::path here = end.result.substr(0, end.result.find('\n'));  // "" or "a/b/"
    const auto from_here = std::filesystem::path(folder).lexically_relative(around.working_directory);
    const bool is_relative = !std::filesystem::path(folder).is_absolute();
    std::string path = (here / (is_relative ? std::filesystem::path(folder) : from_here)).lexically_normal().string();
    if (path == ".." || path.starts_with("../"))
        throw input_error(fmt::format("{} is outside the repository, expected a baseline folder in it; name it by --baseline-dir",
                                      detail::single_line(folder)));
    while (path.ends_with('/')) path.pop_back();
    return path == "." ? std::string{} : path;
}

}  // namespace

std::vector<input_text> baselines_of_revision(const tool_surroundings& around, const std::string& revision, const std::string& folder) {
    require_repository(around, revision);
    const std::string commit = commit_of(around, revision);
    const std::string below = folder_from_top(around, folder);
    std::vector<std::string> listing{"ls-tree", "-r", "-z", "--full-tree", commit};
    if (!below.empty()) listing.push_back(below + "/");
    const child_end listed = run_git(around, std::move(listing));
    if (!ended_well(listed)) fail("what " + detail::excerpt(revision) + " holds", listed);
    std::vector<input_text> texts;
    for (const tree_file& file : files_of_tree(listed.result)) {
        if (!is_baseline_path(file.path, below)) continue;
        child_end shown = run_git(around, {"cat-file", "blob", file.hash});
        if (!ended_well(shown) || shown.result.size() > baseline_file::max_bytes)
            fail(fmt::format("what {}:{} holds", detail::single_line(revision), detail::single_line(file.path)), shown);
        texts.push_back({revision + ":" + file.path, std::move(shown.result)});
    }
    return texts;
}

}  // namespace perfspec::tool
