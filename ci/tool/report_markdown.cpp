// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// report_markdown of report.hpp.

#include "report.hpp"

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace perfspec::tool {
namespace {

/// Text as GitHub's Markdown shows it, whatever it holds: what could be markup, a mention or a link is a character reference.
std::string shown(std::string_view text) {
    constexpr std::string_view special = "\\`*_{}[]<>()#+!|~@&$:";
    std::string safe;
    for (const char c : detail::single_line(text)) {
        if (special.find(c) == std::string_view::npos) safe += c;
        else safe += fmt::format("&#{};", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
    return safe;
}

std::string counts_text(std::span<const record> records) {
    std::map<verdict, std::size_t> counts;
    for (const record& r : records) ++counts[r.verdict];
    std::string text;
    for (const verdict v : {verdict::violated, verdict::invalid, verdict::undecided, verdict::not_judged, verdict::holds}) {
        if (counts[v] == 0) continue;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counts[v], v == verdict::holds && counts[v] > 1 ? "hold" : to_string(v));
    }
    return text;
}

std::string bound_text(const record& r) {
    if (!r.bound) return {};
    std::string text = fmt::format("{} {}", r.comparison, format_value(*r.bound, r.unit));
    if (!r.bound_text.empty()) text += " = " + r.bound_text;
    if (const auto room = room_to_bound(r))
        text += fmt::format(", {} {}", format_percentage(std::abs(*room)), *room < 0.0 ? "beyond" : "inside");
    return text;
}

std::string row_of(const record& r) {
    const std::string seen = r.measured ? detail::measured_text(r) : std::string{};
    const std::string why = r.reason.empty() || seen.empty() ? r.reason : "; " + r.reason;
    const std::string effect = r.failed ? "" : ", a warning";
    return fmt::format("| **{}**{} | {} | {}{} | {} | {} |\n", to_string(r.verdict), effect, shown(r.claim.empty() ? r.query : r.claim),
                       shown(seen), shown(why), shown(bound_text(r)), shown(r.file.empty() ? r.key : fmt::format("{}:{}", r.file, r.line)));
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

}  // namespace

std::string report_markdown(const results& found) {
    const std::vector<record> records = records_of(found);
    std::vector<const record*> shown_ones;
    for (const record& r : records)
        if (r.verdict == verdict::violated || r.verdict == verdict::invalid || r.verdict == verdict::undecided) shown_ones.push_back(&r);
    std::string text = fmt::format("### perfspec: {}\n", counts_text(records));
    for (const std::string& note : found.notes) text += fmt::format("\n{}\n", shown(note));
    if (!shown_ones.empty()) text += "\n| verdict | claim | measured | bound | where |\n|---|---|---|---|---|\n";
    for (const record* r : shown_ones) text += row_of(*r);
    return text + commands_text(shown_ones);
}

}  // namespace perfspec::tool
