// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// report_markdown of report.hpp, and the parts of it that tables share.

#include "report.hpp"

#include <perfspec/quantity/format.hpp>
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

/// How much a reader has to do about it, the most first; what needs nothing has no row.
enum class concern : std::uint8_t { violated, invalid, undecided, not_judged, is_new, none };

concern concern_of(const record& r) {
    switch (r.verdict) {
    case verdict::violated: return concern::violated;
    case verdict::invalid: return concern::invalid;
    case verdict::undecided: return concern::undecided;
    case verdict::holds: return concern::none;
    case verdict::not_judged: break;
    }
    if (r.baseline && r.baseline->action == baseline_action::is_new) return concern::is_new;
    return detail::done_instead(r).empty() ? concern::not_judged : concern::none;
}

std::string bound_text(const record& r) {
    if (!r.bound) return {};
    std::string text = detail::compared_text(r);
    if (!r.bound_text.empty()) text += " = " + r.bound_text;
    if (const auto room = room_to_bound(r))
        text += fmt::format(", {} {}", format_percentage(std::abs(*room)), *room < 0.0 ? "beyond" : "inside");
    return text;
}

std::string row_of(const record& r) {
    const std::string seen = r.estimate ? detail::measured_text(r) : std::string{};
    const std::string why = r.reason.empty() || seen.empty() ? r.reason : "; " + r.reason;
    const std::string effect = r.failed || r.verdict == verdict::not_judged ? "" : ", a warning";
    return fmt::format("| **{}**{} | {} | {}{} | {} | {} |\n", detail::verdict_word(r, {}), effect,
                       markdown_text(r.claim.empty() ? r.query : r.claim), markdown_text(seen), markdown_text(why),
                       markdown_text(bound_text(r)), markdown_text(r.file.empty() ? r.key : fmt::format("{}:{}", r.file, r.line)));
}

/// What to type, each command once, in a fence that no command ends.
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
    return fmt::format("\n<details><summary>What to type</summary>\n\n{}sh\n{}\n{}\n\n</details>\n", fence, fmt::join(lines, "\n"), fence);
}

/// What samples show besides verdicts; one line for a note of a claim, whichever runs had it.
std::string notes_text(std::span<const record> records) {
    std::vector<std::string> lines;
    for (const record& r : records) {
        for (const std::string& note : r.notes) {
            std::string line = fmt::format("- {}: {}\n", markdown_text(r.claim.empty() ? r.query : r.claim), markdown_text(note));
            if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
        }
    }
    if (lines.empty()) return {};
    return fmt::format("\nNotes:\n\n{}", fmt::join(lines, ""));
}

}  // namespace

std::string markdown_text(std::string_view text) {
    constexpr std::string_view special = "\\`*_{}[]<>()#+!|~@&$:";
    std::string safe;
    for (const char c : detail::single_line(text)) {
        if (special.find(c) == std::string_view::npos) safe += c;
        else safe += fmt::format("&#{};", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
    return safe;
}

std::string counts_text(std::span<const record> records) {
    std::map<std::pair<concern, std::string>, std::size_t> counts;
    for (const record& r : records) ++counts[{concern_of(r), detail::verdict_word(r, {})}];
    std::string text;
    for (const auto& [what, n] : counts)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, what.second == "holds" && n > 1 ? "hold" : what.second);
    return text;
}

std::string report_markdown(const results& found) {
    const std::vector<record> records = records_of(found);
    std::vector<const record*> shown_ones;
    for (const record& r : records)
        if (concern_of(r) != concern::none) shown_ones.push_back(&r);
    std::ranges::stable_sort(shown_ones, {}, [](const record* r) { return concern_of(*r); });
    std::string text = fmt::format("### perfspec: {}\n", counts_text(records));
    for (const std::string& note : found.notes) text += fmt::format("\n{}\n", markdown_text(note));
    if (!shown_ones.empty()) text += "\n| verdict | claim | measured | bound | where |\n|---|---|---|---|---|\n";
    for (const record* r : shown_ones) text += row_of(*r);
    return text + notes_text(records) + commands_text(shown_ones);
}

}  // namespace perfspec::tool
