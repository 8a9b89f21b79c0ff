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
#include <utility>

namespace perfspec::tool {
namespace {

/// "[`sort_test.cpp:12`](https://…/blob/3f2c1ab/sort_test.cpp#L12)", or only the name without a page.
std::string place_cell(const record& r, const source_pages& pages) {
    const std::string name = markdown_code(place_text(r, pages));
    const std::string address = place_address(r, pages);
    return address.empty() ? name : fmt::format("[{}]({})", name, address);
}

std::string row_of(const record& r, const source_pages& pages) {
    const std::string verdict = concern_of(r) == concern::gained ? "gain" : detail::verdict_word(r, {});
    const std::string effect =
        detail::is_waived(r) ? ", waived"
        : r.failed || r.verdict == verdict::skipped || concern_of(r) == concern::gained || detail::skips_test(r)
            ? ""
            : ", a warning";
    return fmt::format("| **{}**{} | {} | {} | {} | {} |\n", verdict, effect, markdown_code(test_of(r)),
                       markdown_text(change_and_reason(r)), markdown_code(r.claim.empty() ? r.query : r.claim),
                       place_cell(r, pages));
}

/// The commands, each once, in a fence that no command can end.
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
    while (std::ranges::any_of(lines, [&](const std::string& line) { return line.find(fence) != std::string::npos; }))
        fence += '`';
    return fmt::format("\n<details><summary>Commands</summary>\n\n{}sh\n{}\n{}\n\n</details>\n", fence,
                       fmt::join(lines, "\n"), fence);
}

/// The notes of all claims. The same note of a claim in several runs gives one line.
std::string notes_text(std::span<const record> records) {
    std::vector<std::string> lines;
    for (const record& r : records) {
        for (const std::string& note : r.notes) {
            std::string line =
                fmt::format("- {}: {}\n", markdown_code(r.claim.empty() ? r.query : r.claim), markdown_text(note));
            if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
        }
    }
    if (lines.empty()) return {};
    const std::size_t all = lines.size();
    lines.resize(std::min(all, most_rows_of_claims));
    return fmt::format("\nNotes:\n\n{}{}", fmt::join(lines, ""),
                       all > most_rows_of_claims ? "\n" + left_out_text(all) + "\n" : "");
}

}  // namespace

std::string markdown_text(std::string_view text) {
    constexpr std::string_view markup = "\\`*_[]<>|~#";
    constexpr std::string_view mention_or_formula = "@&$";
    std::string safe;
    for (const char c : detail::single_line(text)) {
        if (mention_or_formula.find(c) != std::string_view::npos)
            safe += fmt::format("&#{};", static_cast<unsigned>(static_cast<unsigned char>(c)));
        else if (markup.find(c) != std::string_view::npos) safe += {'\\', c};
        else safe += c;
    }
    return safe;
}

std::string console_of(const report_part& part) {
    std::string text = part.title.empty() ? "" : part.title + '\n';
    if (part.rows.size() > 1) text += table_text(part.rows, part.title.empty() ? "" : "  ");
    for (const std::string& line : part.lines) text += detail::single_line(line) + '\n';
    return text;
}

std::string markdown_of(const report_part& part) {
    std::string text = part.title.empty() ? "" : markdown_text(part.title) + "\n\n";
    for (const auto& row : part.rows) {
        if (part.rows.size() == 1) break;
        for (const std::string& cell : row) text += fmt::format("| {} ", markdown_text(cell));
        text += "|\n";
        if (&row != &part.rows.front()) continue;
        for (std::size_t c = 0; c < row.size(); ++c) text += c == 0 ? "|---|" : "---|";
        text += '\n';
    }
    for (const std::string& line : part.lines) text += fmt::format("\n- {}\n", markdown_text(line));
    return text;
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

std::string left_out_text(std::size_t rows) {
    if (rows <= most_rows_of_claims) return {};
    return fmt::format("and {} more; --html writes a page with all", rows - most_rows_of_claims);
}

std::string report_markdown(const results& input, const source_pages& pages) {
    const std::vector<record> records = records_of(input);
    std::vector<const record*> shown;
    for (const record& r : records)
        if (concern_of(r) != concern::none) shown.push_back(&r);
    std::ranges::stable_sort(shown, {}, [](const record* r) { return concern_of(*r); });
    std::string text = fmt::format("### perfspec: {}\n", counts_text(records));
    for (const std::string& note : input.notes) text += fmt::format("\n{}\n", markdown_text(note));
    const std::size_t all = shown.size();
    shown.resize(std::min(all, most_rows_of_claims));
    if (!shown.empty()) text += "\n| verdict | test | change | claim | where |\n|---|---|---|---|---|\n";
    for (const record* r : shown) text += row_of(*r, pages);
    if (all > most_rows_of_claims) text += '\n' + left_out_text(all) + '\n';
    return text + notes_text(records) + commands_text(shown);
}

}  // namespace perfspec::tool
