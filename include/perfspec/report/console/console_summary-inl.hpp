// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// render_summary of console.hpp.

#include <perfspec/report/console/console.hpp>

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/report/console/text_width.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace perfspec {
namespace detail {

bool is_judged(const record& r) noexcept {
    return has_claim(r) && (r.verdict == verdict::holds || r.verdict == verdict::violated || r.verdict == verdict::undecided);
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
        if (const std::string_view instead = done_instead(r); !instead.empty()) ++done[instead];
        else ++counts[r.verdict];
        const double own = r.evidence.seconds - r.evidence.shared_seconds;
        seconds += std::isfinite(own) ? own : 0.0;
    }
    std::string text = fmt::format("perfspec: {} assertion{}: ", records.size(), records.size() == 1 ? "" : "s");
    std::string_view separator;
    for (const auto& [v, n] : counts) {
        text += fmt::format("{}{} {}", separator, n, v == verdict::holds && n > 1 ? "hold" : to_string(v));
        separator = ", ";
    }
    for (const auto& [action, n] : done) {
        text += fmt::format("{}{} {}", separator, n, action);
        separator = ", ";
    }
    return text + fmt::format("; measuring took {}", format_seconds(seconds * 1e9));
}

/// Assertions times their rates: how many would fail by chance if all were exactly at their bounds.
std::string chance_line(std::span<const record> records) {
    std::vector<double> rates;
    for (const record& r : records) {
        if (is_judged(r) && r.bound && !r.evidence.exact && !r.evidence.approximate) rates.push_back(false_failure_of(r));
    }
    if (rates.empty()) return {};
    double sum = 0.0;
    for (const double rate : rates) sum += rate;
    const bool same = std::ranges::all_of(rates, [&](double rate) { return rate == rates.front(); });
    const std::string at = same ? fmt::format("a false-failure rate of {}", rates.front()) : "their false-failure rates";
    return fmt::format("  {} judged at {}: {:.3g} false failures expected if all were exactly at their bounds", rates.size(), at, sum);
}

/// What a run would take, of a dry run.
std::string cost_line(std::span<const record> records) {
    std::size_t estimated = 0;
    double minimum = 0.0;
    double maximum = 0.0;
    for (const record& r : records) {
        if (!r.cost) continue;
        ++estimated;
        minimum += r.cost->min_seconds;
        maximum += r.cost->max_seconds;
    }
    if (estimated == 0) return {};
    return fmt::format("  dry run: nothing was measured; judging {} would take about {}, besides the start of fresh processes and the "
                       "repetition of what is violated",
                       estimated == 1 ? "it" : fmt::format("these {}", estimated), seconds_range(minimum, maximum));
}

/// Room, key, value, comparison, bound.
using table_cells = std::array<std::string, 5>;

table_cells cells_of(const summary_row& row) {
    const record& r = *row.of;
    const auto show = [&](double v) { return format_value(v, r.unit); };
    const std::string bound = r.tolerated ? show(r.tolerated->low) + " to " + show(r.tolerated->high) : show(*r.bound);
    return {format_percentage(row.room), single_line(r.key), show(r.estimate->centre), r.comparison, bound};
}

void add_table(std::vector<std::string>& lines, const std::vector<summary_row>& rows, console_style style) {
    constexpr std::size_t rows_shown = 20;
    const std::size_t shown = style.verbosity == console_verbosity::verbose ? rows.size() : std::min(rows.size(), rows_shown);
    if (shown == 0) return;
    lines.emplace_back("perfspec: room to the bound, key, value, bound, verdict");
    std::vector<table_cells> table;
    table_cells widths;
    for (std::size_t i = 0; i < shown; ++i) {
        table.push_back(cells_of(rows[i]));
        for (std::size_t c = 0; c < widths.size(); ++c) widths[c].resize(std::max(widths[c].size(), columns_of(table.back()[c])), ' ');
    }
    for (std::size_t i = 0; i < shown; ++i) {
        const auto& [room, key, value, sign, bound] = table[i];
        lines.push_back(fmt::format("  {:>{}}  {}  {:>{}} {:>{}} {}  {}", room, widths[0].size(), padded(key, widths[1].size()), value,
                                    widths[2].size(), sign, widths[3].size(), padded(bound, widths[4].size()),
                                    verdict_word(*rows[i].of, style)));
    }
    if (shown < rows.size())
        lines.push_back(fmt::format("  ... and {} with more room; --perf-verbosity=verbose shows all", rows.size() - shown));
}

/// Each reason once, with how often it stood in the way.
void add_reasons(std::vector<std::string>& lines, std::span<const record> records, console_style style) {
    std::vector<std::pair<const record*, std::size_t>> reasons;
    for (const record& r : records) {
        if (r.verdict != verdict::invalid && r.verdict != verdict::not_judged) continue;
        const auto same = [&](const auto& known) {
            return verdict_word(*known.first, {}) == verdict_word(r, {}) && known.first->reason == r.reason;
        };
        const auto found = std::ranges::find_if(reasons, same);
        if (found == reasons.end()) reasons.emplace_back(&r, 1);
        else ++found->second;
    }
    for (const auto& [r, n] : reasons) lines.push_back(fmt::format("  {} x {}: {}", n, verdict_word(*r, style), single_line(r->reason)));
}

/// What to type about what failed or was not decided, each line once. Here and not only beside the claim, because test frameworks break lines.
void add_commands_of_all(std::vector<std::string>& lines, std::span<const record> records) {
    std::vector<std::string> commands;
    for (const record& r : records) {
        if (!r.failed && r.verdict != verdict::undecided) continue;
        for (const auto& [what, command] : r.commands) {
            std::string line = command_line(what, command);
            if (std::ranges::find(commands, line) == commands.end()) commands.push_back(std::move(line));
        }
    }
    if (!commands.empty()) lines.emplace_back("perfspec: what to type about what failed or was not decided");
    lines.insert(lines.end(), commands.begin(), commands.end());
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
    if (std::string line = detail::chance_line(records); all && !line.empty()) lines.push_back(std::move(line));
    if (std::string line = detail::cost_line(records); !line.empty()) lines.push_back(std::move(line));
    return fmt::format("{}", fmt::join(lines, "\n"));
}

}  // namespace perfspec
