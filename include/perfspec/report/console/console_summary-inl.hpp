// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Implements render_summary of console.hpp.

#include <perfspec/report/console/console.hpp>

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/change.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace perfspec::inline v0_2 {
namespace detail {

bool is_judged(const record& r) noexcept {
    return has_claim(r) &&
           (r.verdict == verdict::holds || r.verdict == verdict::violated || r.verdict == verdict::undecided);
}

struct summary_row {
    const record* of;
    double room;
};

std::vector<summary_row> closest_first(std::span<const record> records) {
    std::vector<summary_row> rows;
    for (const record& r : records) {
        const auto room = room_to_bound(r);
        if (is_judged(r) && room) rows.push_back({&r, *room});
    }
    std::ranges::stable_sort(rows, {}, &summary_row::room);
    return rows;
}

std::string counts_line(std::span<const record> records) {
    std::map<verdict, std::size_t> counts;
    std::map<std::string_view, std::size_t> done;
    double seconds = 0.0;
    for (const record& r : records) {
        if (const std::string_view instead = looks_violated(r) ? "looks violated" : done_instead(r); !instead.empty())
            ++done[instead];
        else ++counts[r.verdict];
        seconds += std::isfinite(r.evidence.seconds) ? r.evidence.seconds : 0.0;
    }
    std::string text = fmt::format("perfspec: {} claim{}: ", records.size(), records.size() == 1 ? "" : "s");
    std::string_view separator;
    for (const auto& [v, n] : counts) {
        const char* const several = v == verdict::holds ? "hold" : v == verdict::error ? "errors" : to_string(v);
        text += fmt::format("{}{} {}", separator, n, n > 1 ? several : to_string(v));
        separator = ", ";
    }
    for (const auto& [action, n] : done) {
        text += fmt::format("{}{} {}", separator, n, action);
        separator = ", ";
    }
    if (const auto waived = std::ranges::count_if(records, is_waived); waived > 0)
        text += fmt::format("; {} waived", waived);
    return text + fmt::format("; measuring took {}", format_seconds(seconds * 1e9));
}

/// The upper limit of a run's time, after a dry run.
std::string planned_line(std::span<const record> records) {
    std::size_t planned = 0;
    forecast all;
    for (const record& r : records) {
        if (!r.forecast) continue;
        ++planned;
        all.budget_seconds += r.forecast->budget_seconds;
        all.cap_seconds += r.forecast->cap_seconds;
    }
    if (planned == 0) return {};
    const std::string line = "  dry run: nothing was measured";
    if (!(all.cap_seconds > 0.0)) return line;
    return fmt::format("{}; judging {} takes {}, not counting recordings and repeated violations", line,
                       planned == 1 ? "it" : fmt::format("these {} claims", planned), duration_text(all));
}

/// The length in bytes of a key's test case and sections, before the query or the name that replaces it.
std::size_t length_before_query(const record& r) {
    std::string_view key = r.key;
    for (std::size_t i = r.axes.size(); i-- > 0;) {
        const std::string axis = " / " + r.axes[i].first + "=" + r.axes[i].second;
        if (key.ends_with(axis)) key.remove_suffix(axis.size());
    }
    if (!r.query.empty() && key.ends_with(r.query)) return key.size() - r.query.size();
    const std::size_t end = key.rfind(" / ");
    return end == std::string_view::npos ? 0 : end + 3;
}

/// The length in bytes of the prefix that all keys share, up to its last " / ": the test case, for example, if only one
/// ran. It never includes the query.
std::size_t shared_beginning(const std::vector<summary_row>& rows) {
    std::string_view shared = rows.front().of->key;
    for (const summary_row& row : rows) {
        shared = shared.substr(0, length_before_query(*row.of));
        while (!row.of->key.starts_with(shared)) shared.remove_suffix(1);
    }
    const std::size_t end = shared.rfind(" / ");
    return end == std::string_view::npos ? 0 : end + 3;
}

std::string room_text(double room) {
    if (room == 0.0) return "on it";
    return format_percentage(std::abs(room)) + (room < 0.0 ? " beyond" : " inside");
}

std::vector<std::string> cells_of(const summary_row& row, std::size_t beginning) {
    const record& r = *row.of;
    const auto show = [&](double v) { return format_value(v, r.unit); };
    std::string bound = r.tolerated ? show(r.tolerated->low) + " to " + show(r.tolerated->high) : show(*r.bound);
    if (const auto end = r.bound_text.find(';'); r.unit == dimension::power && end != std::string::npos)
        bound = single_line(r.bound_text.substr(0, end));  // "1.000 and a tolerance of 0.1500"
    return {verdict_word(r, {}) + (is_waived(r) ? ", waived" : ""),
            room_text(row.room),
            change_from_baseline(r),
            show(r.estimate->value),
            r.comparison + " " + bound,
            single_line(std::string_view(r.key).substr(beginning))};
}

void add_table(std::vector<std::string>& lines, const std::vector<summary_row>& rows, console_style style) {
    constexpr std::size_t max_rows = 20;
    constexpr std::size_t column_of_change = 2;
    const std::size_t shown =
        style.verbosity == console_verbosity::verbose ? rows.size() : std::min(rows.size(), max_rows);
    if (shown == 0) return;
    const std::size_t beginning = shared_beginning(rows);
    std::vector<std::vector<std::string>> table{
        {"verdict", "to the bound", "to baseline", "measured", "bound", "claim"}};
    bool any_change = false;
    for (std::size_t i = 0; i < shown; ++i) {
        table.push_back(cells_of(rows[i], beginning));
        any_change = any_change || !table.back()[column_of_change].empty();
    }
    if (!any_change)
        for (auto& row : table) row.erase(row.begin() + column_of_change);
    std::vector<std::string> text = aligned(table, "  ");
    for (std::size_t i = 0; i < shown; ++i)
        text[i + 1].replace(2, verdict_word(*rows[i].of, {}).size(), verdict_word(*rows[i].of, style));
    lines.emplace_back("perfspec: the claims closest to their bounds first");
    lines.insert(lines.end(), text.begin(), text.end());
    if (shown < rows.size())
        lines.push_back(fmt::format("  ... and {} farther inside their bounds; --perf-verbosity=verbose shows all",
                                    rows.size() - shown));
}

/// Adds each reason once, with the number of its assertions.
void add_reasons(std::vector<std::string>& lines, std::span<const record> records, console_style style) {
    std::vector<std::pair<const record*, std::size_t>> reasons;
    for (const record& r : records) {
        if (r.verdict != verdict::error && r.verdict != verdict::skipped) continue;
        const auto same = [&](const auto& earlier) {
            return verdict_word(*earlier.first, {}) == verdict_word(r, {}) && earlier.first->reason == r.reason;
        };
        const auto found = std::ranges::find_if(reasons, same);
        if (found == reasons.end()) reasons.emplace_back(&r, 1);
        else ++found->second;
    }
    for (const auto& [r, n] : reasons)
        lines.push_back(fmt::format("  {} x {}: {}", n, verdict_word(*r, style), single_line(r->reason)));
}

/// Claims that have the same commands, after a line with the file of their baselines.
struct claims_of_commands {
    std::vector<std::string> commands;
    std::vector<std::string> keys;
};

std::vector<claims_of_commands> group_by_commands(std::span<const record> records) {
    std::vector<claims_of_commands> groups;
    for (const record& r : records) {
        if ((!r.failed && r.verdict != verdict::undecided) || r.commands.empty()) continue;
        std::vector<std::string> commands;
        if (r.baseline && !r.baseline->file.empty()) commands.push_back("  " + command_line("file", r.baseline->file));
        for (const auto& [name, command] : r.commands) commands.push_back("  " + command_line(name, command));
        auto same = std::ranges::find(groups, commands, &claims_of_commands::commands);
        if (same == groups.end()) same = groups.insert(groups.end(), {std::move(commands), {}});
        const std::string key = "  " + single_line(r.key);
        if (std::ranges::find(same->keys, key) == same->keys.end()) same->keys.push_back(key);
    }
    return groups;
}

/// Adds the commands for claims that failed or were undecided, because test frameworks break lines in their reports.
void add_commands_of_all(std::vector<std::string>& lines, std::span<const record> records) {
    const std::vector<claims_of_commands> groups = group_by_commands(records);
    if (!groups.empty()) lines.emplace_back("perfspec: commands that repeat a claim, or accept its change");
    for (const claims_of_commands& group : groups) {
        lines.insert(lines.end(), group.keys.begin(), group.keys.end());
        lines.insert(lines.end(), group.commands.begin(), group.commands.end());
    }
}

}  // namespace detail

std::string render_summary(std::span<const record> records, console_style style) {
    if (records.empty()) return {};
    std::vector<std::string> lines;
    const bool all = style.verbosity != console_verbosity::quiet;
    if (all) detail::add_table(lines, detail::closest_first(records), style);
    if (all) detail::add_reasons(lines, records, style);
    if (all) detail::add_commands_of_all(lines, records);
    lines.push_back(detail::counts_line(records));
    if (std::string line = detail::planned_line(records); !line.empty()) lines.push_back(std::move(line));
    return fmt::format("{}", fmt::join(lines, "\n"));
}

}  // namespace perfspec::inline v0_2
