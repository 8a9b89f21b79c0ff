// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/console/console_text.hpp>

#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

std::string single_line(std::string_view text) {
    std::string line = printable(text);
    std::ranges::replace_if(
        line, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    return line;
}

bool has_claim(const record& r) noexcept { return !r.comparison.empty() || r.bound || r.verified; }

bool is_waived(const record& r) noexcept { return r.waiver && r.waiver->effect == waiver_effect::waived; }

bool looks_violated(const record& r) noexcept {
    if (r.verdict != verdict::undecided || !r.estimate || !r.bound) return false;
    const auto [low, high] = r.tolerated.value_or(tolerated_range{*r.bound, *r.bound});
    const double drift = r.baseline ? 1.0 + r.baseline->drift : 1.0;
    return (r.estimate->low > high * drift && !r.comparison.starts_with('>')) ||
           (r.estimate->high * drift < low && !r.comparison.starts_with('<'));
}

bool skips_test(const record& r) noexcept {
    const bool only_warns = r.macro.ends_with("_WARN") || r.macro == "perf.warn" ||
                            (r.macro == "evaluate" && !r.test.empty()) || option_of(r, "undecided") == "pass";
    return looks_violated(r) && !r.failed && !is_waived(r) && !only_warns;
}

std::string_view done_instead(const record& r) noexcept {
    if (r.verdict != verdict::skipped || !r.baseline) return {};
    switch (r.baseline->action) {
    case baseline_action::recorded:
    case baseline_action::updated:
    case baseline_action::appended:
    case baseline_action::kept:
    case baseline_action::is_new: return to_string(r.baseline->action);
    case baseline_action::compared:
    case baseline_action::refused:
    case baseline_action::baseline_build:
    case baseline_action::would_be_recorded: break;
    }
    return {};
}

std::string verdict_word(const record& r, console_style style) {
    const std::string_view done = done_instead(r);
    std::string word = looks_violated(r) ? "looks violated" : done.empty() ? to_string(r.verdict) : std::string(done);
    if (style.color == console_color::never) return word;
    const int red = 31;
    const int green = 32;
    const int yellow = 33;
    const int color = has_succeeded(r.verdict) || !done.empty()                       ? green
                      : r.verdict == verdict::violated || r.verdict == verdict::error ? red
                                                                                      : yellow;
    return fmt::format("\x1b[{}m{}\x1b[0m", color, word);
}

/// The effect of the verdict on the test, if it is not the verdict's usual one.
std::string_view unusual_effect(const record& r) noexcept {
    if (is_waived(r)) return ", waived";
    if ((r.verdict == verdict::violated || r.verdict == verdict::error) && !r.failed) return ", only a warning";
    return r.verdict == verdict::undecided && r.failed ? ", which fails here" : "";
}

std::string headline(const record& r, console_style style) {
    const std::string verdict = verdict_word(r, style) + std::string(unusual_effect(r));
    if (style.place == console_place::left_out) return verdict;
    std::string claim = single_line(r.claim);
    if (claim.empty()) {
        claim = single_line(r.query);
        if (r.bound) claim += fmt::format(" {} {}", r.comparison, format_value(*r.bound, r.unit));
    }
    const std::string place = r.file.empty() ? std::string{} : fmt::format("{}:{}: ", single_line(r.file), r.line);
    const std::string macro = r.macro.empty() ? std::string{"evaluate"} : single_line(r.macro);
    return fmt::format("{}{}( {} )  {}", place, macro, claim, verdict);
}

std::string measured_text(const record& r) {
    const estimate& m = *r.estimate;
    if (r.evidence.exact && m.low == m.high) return format_value(m.value, r.unit);
    const std::string range = format_range(m.low, m.high, r.unit);
    const std::string level = m.level > 0.0 ? fmt::format(", {:.4g} %", 100.0 * m.level) : std::string{};
    return fmt::format("{} ({}{})", format_value(m.value, r.unit), range, level);
}

std::string compared_text(const record& r) {
    const std::string text = fmt::format("{} {}", r.comparison, format_value(*r.bound, r.unit));
    return r.tolerated ? fmt::format("{} ({})", text, format_range(r.tolerated->low, r.tolerated->high, r.unit)) : text;
}

std::string amount_text(const record& r, bool with_budget) {
    constexpr double parts_worth_printing = 10.0;
    const evidence_counts& e = r.evidence;
    const bool shows_start = parts_worth_printing * e.starting_seconds > e.seconds;
    std::vector<std::string> parts;
    const std::size_t fresh = r.baseline && r.baseline->action == baseline_action::compared
                                  ? std::max(e.processes, r.baseline->now.size())
                                  : e.processes;
    const bool in_pairs = r.baseline && r.baseline->action == baseline_action::baseline_build;
    if (fresh > 0 && in_pairs) parts.push_back(counted(fresh, "process pair"));
    else if (fresh > 0) parts.push_back(counted(fresh, "fresh process"));
    if (e.rounds > 0) parts.push_back(counted(e.rounds, "round"));
    if (e.confirming_rounds > 0) parts.push_back(fmt::format("repeated by {} in a fresh process", e.confirming_rounds));
    if (e.seconds > 0.0) parts.push_back(format_seconds((shows_start ? e.measuring_seconds() : e.seconds) * 1e9));
    if (with_budget && !parts.empty() && e.budget_seconds > 0.0)
        parts.back() += fmt::format(" of a budget of {}", format_seconds(e.budget_seconds * 1e9));
    if (shows_start) parts.push_back(format_seconds(e.starting_seconds * 1e9) + " to start processes");
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string duration_text(const forecast& f) {
    if (!(f.cap_seconds > 0.0)) return {};
    const std::string most = "at most " + format_seconds(f.cap_seconds * 1e9);
    if (!(f.budget_seconds > 0.0) || f.budget_seconds >= f.cap_seconds) return most;
    return fmt::format("at most {}; for slow bodies, or if a claim looks violated, {}",
                       format_seconds(f.budget_seconds * 1e9), most);
}

std::string_view option_of(const record& r, std::string_view name) noexcept {
    const auto found =
        std::ranges::find(r.options, name, [](const auto& option) { return std::string_view(option.first); });
    return found == r.options.end() ? std::string_view{} : std::string_view(found->second);
}

std::string command_line(std::string_view name, std::string_view command) {
    return fmt::format("  {:<8} {}", single_line(name) + ":", single_line(command));
}

bool deserves_a_word(const record& r) noexcept {
    if (option_of(r, "verbosity") == "verbose" || !r.notes.empty()) return true;
    if (r.verdict == verdict::undecided) return option_of(r, "undecided") != "pass";
    return !has_succeeded(r.verdict);
}

double false_failure_of(const record& r) {
    if (r.evidence.false_failure > 0.0) return r.evidence.false_failure;
    return parse_number(option_of(r, "false_failure")).value_or(plan{}.false_failure);
}

std::size_t columns_of(std::string_view text) noexcept {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padded(std::string_view text, std::size_t columns) {
    const std::size_t width = columns_of(text);
    return std::string(text) + std::string(columns > width ? columns - width : 0, ' ');
}

std::string shortened(std::string_view text, std::size_t columns) {
    if (columns_of(text) <= columns) return std::string(text);
    std::size_t end = 0;
    for (std::size_t column = 0; end < text.size(); ++end) {
        const bool begins = (static_cast<unsigned char>(text[end]) & 0xC0U) != 0x80U;
        if (begins && column++ == columns - 2) break;
    }
    return std::string(text.substr(0, end)) + "..";
}

/// Whether the text ends with a number. A line must not end there, because the number keeps its unit.
inline bool ends_with_number(std::string_view text) noexcept {
    const std::string_view word = text.substr(text.find_last_of(" (") + 1);
    return !word.empty() && word.find_first_not_of("0123456789.+-") == std::string_view::npos;
}

/// The end of a line of at most `columns`: the position of a blank, or the end of the text.
inline std::size_t end_of_line(std::string_view text, std::size_t columns) {
    if (columns_of(text) <= columns) return text.size();
    std::size_t at_blank = std::string_view::npos;
    std::size_t at_pause = std::string_view::npos;
    std::size_t column = 0;
    for (std::size_t i = 0; i < text.size() && (column <= columns || at_blank == std::string_view::npos); ++i) {
        if (text[i] == ' ' && i > 0 && !ends_with_number(text.substr(0, i))) {
            at_blank = i;
            const bool is_pause = text[i - 1] == ';' || text[i - 1] == ',';
            if (is_pause && 2 * column > columns) at_pause = i;
        }
        column += columns_of(text.substr(i, 1));
    }
    if (at_pause != std::string_view::npos) return at_pause;
    return at_blank == std::string_view::npos ? text.size() : at_blank;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = end_of_line(text, columns);
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ', end)));
    }
    return lines;
}

std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& rows, std::string_view gap) {
    std::vector<std::size_t> widths(rows.front().size());
    for (const auto& row : rows)
        for (std::size_t c = 0; c < widths.size(); ++c) widths[c] = std::max(widths[c], columns_of(row[c]));
    std::vector<std::string> lines;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t c = 0; c < widths.size(); ++c) line.append(gap).append(padded(row[c], widths[c]));
        line.erase(line.find_last_not_of(' ') + 1);
        lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace perfspec::inline v0_2::detail
