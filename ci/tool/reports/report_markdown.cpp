// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Defines report_markdown of report.hpp, and the parts that tables share.

#include "report.hpp"

#include <perfspec/report/annotation.hpp>
#include <perfspec/report/change.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

namespace perfspec::tool {
namespace {

/// How much work a record is for the reader, in falling order. A record without work has no row.
enum class concern : std::uint8_t { violated, invalid, undecided, not_judged, is_new, gained, none };

/// The smallest gain on a baseline that is worth a row.
constexpr double gain_to_tell = 0.05;

bool has_gained(const record& r) {
    const auto ratio = detail::ratio_to_baseline(r);
    if (r.verdict != verdict::holds || !ratio) return false;
    return r.direction == better::less ? *ratio <= 1.0 - gain_to_tell : *ratio >= 1.0 + gain_to_tell;
}

concern concern_of(const record& r) {
    switch (r.verdict) {
    case verdict::violated: return concern::violated;
    case verdict::invalid: return concern::invalid;
    case verdict::undecided: return concern::undecided;
    case verdict::holds: return has_gained(r) ? concern::gained : concern::none;
    case verdict::not_judged: break;
    }
    if (r.baseline && r.baseline->action == baseline_action::is_new) return concern::is_new;
    return detail::done_instead(r).empty() ? concern::not_judged : concern::none;
}

/// The test case and its sections, such as "sort / large"; else the key.
std::string test_of(const record& r) {
    std::string name = r.test;
    for (const std::string& section : r.sections) name += " / " + section;
    return name.empty() ? r.key : name;
}

/// How much the value changed, and the reason for the verdict or for its absence.
std::string change_cell(const record& r) {
    std::string text = change_text(r);
    if (text.empty() && r.estimate) text = detail::measured_text(r);
    if (!text.empty() && !r.reason.empty()) text += "; ";
    return text + r.reason;
}

/// "[`sort_test.cpp:12`](https://…/blob/3f2c1ab/sort_test.cpp#L12)", or only the name without a page.
std::string place_cell(const record& r, const source_pages& pages) {
    if (r.file.empty()) return {};
    const std::string_view path = detail::below(pages.folder, r.file);
    const std::string name = markdown_code(fmt::format("{}:{}", path, r.line));
    if (pages.prefix.empty() || path.starts_with('/')) return name;
    return fmt::format("[{}]({}{}#L{})", name, pages.prefix, detail::percent_encoded(path, "%?# ()<>\"\\|"), r.line);
}

std::string row_of(const record& r, const source_pages& pages) {
    const std::string verdict = has_gained(r) ? "gain" : detail::verdict_word(r, {});
    const std::string effect = r.failed || r.verdict == verdict::not_judged || has_gained(r) ? "" : ", a warning";
    return fmt::format("| **{}**{} | {} | {} | {} | {} |\n", verdict, effect, markdown_code(test_of(r)), markdown_text(change_cell(r)),
                       markdown_code(r.claim.empty() ? r.query : r.claim), place_cell(r, pages));
}

/// The commands to type, each once, in a fence that no command can end.
std::string commands_text(std::span<const record* const> records) {
    std::vector<std::string> lines;
    for (const record* r : records) {
        for (const auto& [what, command] : r->commands) {
            std::string line = fmt::format("{}   # {}", detail::single_line(command), detail::single_line(what));
            if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
        }
    }
    if (lines.empty()) return {};
    std::string fence = "```";
    while (std::ranges::any_of(lines, [&](const std::string& line) { return line.find(fence) != std::string::npos; })) fence += '`';
    return fmt::format("\n<details><summary>Commands</summary>\n\n{}sh\n{}\n{}\n\n</details>\n", fence, fmt::join(lines, "\n"), fence);
}

/// The notes of all claims. The same note of a claim in several runs gives one line.
std::string notes_text(std::span<const record> records) {
    std::vector<std::string> lines;
    for (const record& r : records) {
        for (const std::string& note : r.notes) {
            std::string line = fmt::format("- {}: {}\n", markdown_code(r.claim.empty() ? r.query : r.claim), markdown_text(note));
            if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
        }
    }
    if (lines.empty()) return {};
    return fmt::format("\nNotes:\n\n{}", fmt::join(lines, ""));
}

}  // namespace

source_pages pages_of_ci(const environment& variables) {
    const auto value = [&](const char* name) { return variables.get(name).value_or(""); };
    if (const std::string project = value("CI_PROJECT_URL"), commit = value("CI_COMMIT_SHA"); !project.empty() && !commit.empty())
        return {project + "/-/blob/" + commit + "/", value("CI_PROJECT_DIR")};
    const std::string server = value("GITHUB_SERVER_URL");
    const std::string repository = value("GITHUB_REPOSITORY");
    const std::string commit = value("GITHUB_SHA");
    const bool is_known = !server.empty() && !repository.empty() && !commit.empty();
    return {is_known ? server + "/" + repository + "/blob/" + commit + "/" : std::string{}, value("GITHUB_WORKSPACE")};
}

std::string markdown_text(std::string_view text) {
    constexpr std::string_view markup = "\\`*_[]<>|~#";
    constexpr std::string_view meant_otherwise = "@&$";
    std::string safe;
    for (const char c : detail::single_line(text)) {
        if (meant_otherwise.find(c) != std::string_view::npos)
            safe += fmt::format("&#{};", static_cast<unsigned>(static_cast<unsigned char>(c)));
        else if (markup.find(c) != std::string_view::npos) safe += {'\\', c};
        else safe += c;
    }
    return safe;
}

std::string markdown_code(std::string_view text) {
    std::string code;
    for (const char c : detail::single_line(text)) code += c == '|' ? std::string("\\|") : std::string(1, c);
    if (code.empty()) return code;
    std::string fence = "`";
    while (code.find(fence) != std::string::npos) fence += '`';
    const std::string_view gap = code.starts_with('`') || code.ends_with('`') ? " " : "";
    return fmt::format("{0}{1}{2}{1}{0}", fence, gap, code);
}

std::string counts_text(std::span<const record> records) {
    std::map<std::pair<concern, std::string>, std::size_t> counts;
    for (const record& r : records) {
        const concern c = concern_of(r);
        ++counts[{c == concern::gained ? concern::none : c, detail::verdict_word(r, {})}];
    }
    std::string text;
    for (const auto& [what, n] : counts)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, what.second == "holds" && n > 1 ? "hold" : what.second);
    return text;
}

std::string report_markdown(const results& found, const source_pages& pages) {
    const std::vector<record> records = records_of(found);
    std::vector<const record*> shown_ones;
    for (const record& r : records)
        if (concern_of(r) != concern::none) shown_ones.push_back(&r);
    std::ranges::stable_sort(shown_ones, {}, [](const record* r) { return concern_of(*r); });
    std::string text = fmt::format("### perfspec: {}\n", counts_text(records));
    for (const std::string& note : found.notes) text += fmt::format("\n{}\n", markdown_text(note));
    if (!shown_ones.empty()) text += "\n| verdict | test | change | claim | where |\n|---|---|---|---|---|\n";
    for (const record* r : shown_ones) text += row_of(*r, pages);
    return text + notes_text(records) + commands_text(shown_ones);
}

}  // namespace perfspec::tool
