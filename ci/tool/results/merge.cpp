// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "merge.hpp"

#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <map>
#include <set>
#include <string_view>

namespace perfspec::tool {
namespace {

/// Collects the faults of the results.
class completeness {
public:
    explicit completeness(outcome& told) : told_(told) {}

    void fault(const std::string& text) {
        told_.text += text + '\n';
        told_.code = exit_code::unusable;
    }

private:
    outcome& told_;
};

void check_shards(completeness& check, std::span<const input_text> files, std::optional<std::size_t> shards) {
    if (!shards || files.size() == *shards) return;
    check.fault(fmt::format("{} given, expected {}: {}", counted(files.size(), "file"), counted(*shards, "shard"),
                            files.size() < *shards ? "the job of a shard did not run, or its artefact is missing"
                                                   : "files of another run lie among them"));
}

void check_names(completeness& check, std::span<const input_text> files) {
    std::set<std::string_view> known;
    for (const input_text& file : files)
        if (!known.insert(file.path).second) check.fault(fmt::format("{}: given twice", detail::single_line(file.path)));
}

void check_twins(completeness& check, const results& found) {
    std::map<std::string_view, const result_line*> first;
    std::set<std::string_view> told;
    for (const result_line* line : found.finished()) {
        const auto [at, is_new] = first.emplace(line->raw, line);
        const bool in_two_files = !is_new && at->second->path != line->path;
        if (in_two_files && told.insert(line->path).second)
            check.fault(fmt::format("{}: the same result as {}: a shard is given twice, or the merged file is among the shards",
                                    line->place(), at->second->place()));
    }
}

void check_commits(completeness& check, const results& found) {
    std::map<std::string_view, const result_line*> commits;
    for (const result_line& line : found.lines) commits.emplace(line.about.commit, &line);
    if (commits.size() < 2) return;
    std::string text;
    for (const auto& [commit, line] : commits)
        text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", commit.empty() ? "none" : detail::single_line(commit), line->place());
    check.fault("results of more than one commit: " + text);
}

}  // namespace

record result_of_unfinished(record r) {
    r.verdict = verdict::invalid;
    r.failed = true;
    r.reason = reason_of_unfinished;
    r.failure = failure_kind::unfinished;
    r.verified = verification{verification_code::verifier_didnt_run, r.reason, {}};
    return r;
}

merged_results merge(const results& found, std::span<const input_text> files, std::optional<std::size_t> shards) {
    merged_results all;
    completeness check(all.told);
    for (const std::string& note : found.notes) all.told.text += note + '\n';
    if (found.cut_short > 0) check.fault(fmt::format("{} cut short", counted(found.cut_short, "result")));
    check_shards(check, files, shards);
    check_names(check, files);
    if (found.lines.empty()) check.fault("no results in any shard: see whether the tests ran, and with PERFSPEC_OUTPUT");
    check_twins(check, found);
    check_commits(check, found);
    for (const result_line& line : found.lines) all.lines += fmt::format("{}\n", line.raw);
    const auto unfinished = found.unfinished();
    for (const result_line* line : unfinished) {
        check.fault(fmt::format("{}: {}: started and has no result", line->place(), detail::single_line(line->about.key)));
        all.lines += to_json_line(result_of_unfinished(line->about)) + '\n';
    }
    all.told.text += fmt::format("{} of {}{}\n", counted(found.finished().size(), "result"), counted(files.size(), "file"),
                                 all.told.code == exit_code::holds ? ", complete" : ", not complete");
    return all;
}

}  // namespace perfspec::tool
