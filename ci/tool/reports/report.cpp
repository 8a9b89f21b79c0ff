// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "report.hpp"

#include <perfspec/claim/modules.hpp>
#include <perfspec/claim/record_of.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/report/annotation.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/report/shell.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace perfspec::tool {
namespace {

bool needs_attention(const record& r) {
    return r.failed || r.verdict == verdict::undecided || r.verdict == verdict::violated || !r.notes.empty();
}

std::size_t count_of(std::span<const record> records, verdict v) {
    return static_cast<std::size_t>(std::ranges::count(records, v, &record::verdict));
}

/// The number of claims of one kind among all of them.
struct share_of_claims {
    std::size_t count;
    std::size_t total;
    double allowed;
    std::string_view what;

    [[nodiscard]] std::string text() const { return fmt::format("{} {}", total, what); }
    [[nodiscard]] bool too_many() const noexcept {
        return static_cast<double>(count) > allowed * static_cast<double>(total);
    }
};

bool is_new(const record& r) {
    return r.verdict == verdict::skipped && r.baseline && r.baseline->action == baseline_action::is_new;
}

/// Whether a record is of a claim: PERF_MEASURE, perf.measure and evaluate(query) make none.
bool is_claim(const record& r) {
    const bool only_records = r.macro.ends_with("_MEASURE") || r.macro == "perf.measure" || r.macro == "evaluate";
    return detail::has_claim(r) || !only_records;
}

std::array<share_of_claims, 3> shares_of(std::span<const record> records, const max_allowed& allowed) {
    const std::size_t undecided = count_of(records, verdict::undecided);
    const std::size_t judged = undecided + count_of(records, verdict::holds) + count_of(records, verdict::violated);
    const auto claims = static_cast<std::size_t>(std::ranges::count_if(records, is_claim));
    const auto without = static_cast<std::size_t>(
        std::ranges::count_if(records, [](const record& r) { return is_claim(r) && r.verdict == verdict::skipped; }));
    const auto fresh = static_cast<std::size_t>(std::ranges::count_if(records, is_new));
    return {{{undecided, judged, allowed.undecided, "judged claims undecided"},
             {without - fresh, claims, allowed.skipped, "claims skipped"},
             {fresh, claims, allowed.is_new, "claims new"}}};
}

/// Names the file that was read in the command that accepts from CI, instead of the path at which the tests wrote it.
void accept_from_file(record& r, const std::string& path) {
    constexpr std::string_view command = "perfspec accept ";
    for (auto& [what, text] : r.commands) {
        const std::size_t options = text.rfind(" --baseline-dir ");
        if (what == "from CI" && text.starts_with(command) && options != std::string::npos)
            text.replace(command.size(), options - command.size(), shell_quoted(path));
    }
}

}  // namespace

source_pages pages_of_ci(const environment& variables) {
    const auto value = [&](const char* name) { return variables.get(name).value_or(""); };
    if (const std::string project = value("CI_PROJECT_URL"), commit = value("CI_COMMIT_SHA");
        !project.empty() && !commit.empty())
        return {project + "/-/blob/" + commit + "/", value("CI_PROJECT_DIR")};
    const std::string server = value("GITHUB_SERVER_URL");
    const std::string repository = value("GITHUB_REPOSITORY");
    const std::string commit = value("GITHUB_SHA");
    const bool is_known = !server.empty() && !repository.empty() && !commit.empty();
    return {is_known ? server + "/" + repository + "/blob/" + commit + "/" : std::string{}, value("GITHUB_WORKSPACE")};
}

std::string place_text(const record& r, const source_pages& pages) {
    return r.file.empty() ? std::string{} : fmt::format("{}:{}", detail::below(pages.folder, r.file), r.line);
}

std::string place_address(const record& r, const source_pages& pages) {
    const std::string_view path = detail::below(pages.folder, r.file);
    if (pages.prefix.empty() || path.empty() || path.starts_with('/')) return {};
    return fmt::format("{}{}#L{}", pages.prefix, detail::percent_encoded(path, "%?# ()<>\"\\|"), r.line);
}

std::vector<record> records_of(const results& input) {
    std::vector<record> records;
    for (const result_line* line : input.finished()) records.push_back(line->about);
    for (const result_line* line : input.unfinished()) records.push_back(result_of_unfinished(line->about));
    return records;
}

exit_code judged_by(std::span<const record> records, const max_allowed& allowed) {
    const auto fails_as = [&](verdict v) {
        return std::ranges::any_of(records, [&](const record& r) { return r.failed && r.verdict == v; });
    };
    if (fails_as(verdict::error)) return exit_code::error;
    if (fails_as(verdict::violated)) return exit_code::violated;
    const bool too_many = std::ranges::any_of(shares_of(records, allowed), &share_of_claims::too_many);
    return too_many || fails_as(verdict::undecided) || std::ranges::any_of(records, detail::skips_test)
               ? exit_code::open
               : exit_code::fine;
}

outcome report_console(const results& input, const max_allowed& allowed, console_style style) {
    std::vector<record> records = records_of(input);
    const std::vector<const result_line*> finished = input.finished();
    for (std::size_t i = 0; i < finished.size(); ++i) accept_from_file(records[i], finished[i]->path);
    outcome done{notes_text(input)};
    style.commands = console_commands::left_out;
    for (const record& r : records)
        if (style.verbosity != console_verbosity::quiet &&
            (needs_attention(r) || style.verbosity == console_verbosity::verbose))
            done.text += render_console(r, style) + "\n\n";
    const std::string summary = render_summary(records, style);
    if (!summary.empty()) done.text += summary + "\n";
    done.code = input.cut_short > 0 ? exit_code::error : judged_by(records, allowed);
    if (done.code != exit_code::open) return done;
    bool explained = false;
    for (const share_of_claims& share : shares_of(records, allowed)) {
        if (!share.too_many()) continue;
        explained = true;
        done.text += fmt::format("perfspec: {} of {}, more than the allowed {}\n", share.count, share.text(),
                                 format_percentage(share.allowed));
    }
    const auto suspects = static_cast<std::size_t>(std::ranges::count_if(records, detail::skips_test));
    if (suspects > 0) done.text += fmt::format("perfspec: {} looks violated\n", counted(suspects, "claim"));
    else if (!explained) done.text += "perfspec: an undecided claim fails its test\n";
    return done;
}

}  // namespace perfspec::tool
