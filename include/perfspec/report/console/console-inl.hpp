// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/console/console.hpp>

#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/report/change.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/report/console/part_table.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unistd.h>

namespace perfspec::inline v0_2 {
namespace detail {

/// Widths of a block, its labels and its texts. The block fits into a terminal of 80 columns, even if a framework
/// indents it by two more.
constexpr std::size_t columns_of_block = 76;
constexpr std::size_t columns_of_label = 10;
constexpr std::size_t columns_of_text = columns_of_block - columns_of_label - 3;

/// Writes rows of a label and a text beside it. Breaks a text that is too long.
class row_writer {
public:
    row_writer(std::vector<std::string>& lines, console_place place) : lines_(lines), place_(place) {}

    void operator()(std::string_view label, std::string_view text) {
        for (const std::string& line : wrapped(text, columns_of_text)) {
            lines_.push_back("  " + padded(label, columns_of_label) + " " + line);
            label = {};
        }
    }
    /// Writes a path, a key or a command, which users copy. It is never broken; if a framework would break it, only the
    /// summary has it.
    void whole(std::string_view label, std::string_view text) {
        if (text.empty() || (place_ == console_place::left_out && columns_of(text) > columns_of_text)) return;
        lines_.push_back("  " + padded(label, columns_of_label) + " " + std::string(text));
    }

private:
    std::vector<std::string>& lines_;
    console_place place_;
};

/// "recorded 2026-11-18 at 3f2c1ab, detects +9 % or more from 3 sessions".
std::string origin_text(const record& r) {
    std::string text;
    const baseline_origin& b = *r.baseline;
    if (b.action == baseline_action::refused) return text;
    if (!b.recorded.empty()) text += fmt::format(", recorded {}", single_line(b.recorded).substr(0, 10));
    if (!b.commit.empty()) text += fmt::format(" at {}", single_line(b.commit).substr(0, 10));
    if (r.evidence.exact) return text + ", compared exactly";
    if (!(b.detectable > 0.0)) return text;
    text += r.tolerated ? fmt::format(", detects {} or more beyond either side", format_percentage(b.detectable))
                        : fmt::format(", detects {} or more",
                                      format_change(r.comparison.starts_with('<') ? b.detectable : -b.detectable));
    return b.sessions > 0 ? fmt::format("{} from {}", text, counted(b.sessions, "session")) : text;
}

std::string bound_row(const record& r) {
    if (!r.bound) return single_line(r.bound_text);
    std::string text = compared_text(r);
    if (!r.bound_text.empty()) text += " = " + single_line(r.bound_text);
    if (r.baseline) text += origin_text(r);
    const bool is_strict = r.comparison == "<" || r.comparison == ">";
    if (r.margin > 0.0) text += fmt::format("; margin {}", format_percentage(r.margin));
    else if (is_strict && !r.evidence.exact) text += "; no margin";
    return text;
}

/// The false-failure rate of a claim exactly at its bound.
std::string rate_text(const record& r) {
    if (r.evidence.exact) return "exact";
    if (r.evidence.approximate) return "the false-failure rate at the bound is not guaranteed";
    const std::string rate = fmt::format("false-failure rate {}", false_failure_of(r));
    return r.evidence.false_failure > 0.0 ? rate + " if processes are exchangeable" : rate;
}

std::string evidence_row(const record& r) {
    std::string text = amount_text(r, true);
    if (text.empty()) return text;
    if (r.evidence.seed != 0) text += fmt::format("; seed {}", r.evidence.seed);
    if (r.bound) text += "; " + rate_text(r);
    return text;
}

std::string disturbance_text(const disturbances& d) {
    std::vector<std::string> parts;
    // The measurement itself is a load of one.
    if (d.load > 1.0)
        parts.push_back(fmt::format("load {:.1f} on {}", d.load, counted(static_cast<std::size_t>(d.cores), "core")));
    if (d.steal_seconds > 0.0)
        parts.push_back(fmt::format("{} stolen by the hypervisor", format_seconds(d.steal_seconds * 1e9)));
    if (d.waited_seconds >= 1e-3)
        parts.push_back(fmt::format("{} waiting for a processor", format_seconds(d.waited_seconds * 1e9)));
    if (d.interrupted > 0)
        parts.push_back(fmt::format("{} interrupted for {}{}", counted(d.interrupted, "sample"),
                                    format_seconds(d.interrupted_seconds * 1e9),
                                    d.excluded > 0 ? fmt::format(", {} excluded", d.excluded) : ""));
    if (std::abs(d.frequency_change) >= 0.02)
        parts.push_back(fmt::format("clock {} to {:.0f} MHz", format_change(d.frequency_change), d.frequency_mhz));
    if (d.page_faults > 0) parts.push_back(counted(d.page_faults, "page fault"));
    for (const device_activity& each : d.devices)
        if (!each.text.empty()) parts.push_back(single_line(each.text));
    for (const std::string& note : d.notes) parts.push_back(single_line(note));
    return fmt::format("{}", fmt::join(parts, "; "));
}

void add_verification(std::vector<std::string>& lines, row_writer& row, const verification& v) {
    std::string head = to_string(v.code);
    for (const verification_statistic& each : v.statistics)
        head += fmt::format(", {} {:.4g}", single_line(each.name), each.value);
    row("outputs", head);
    std::istringstream text(printable(v.text));
    for (std::string line; std::getline(text, line);) lines.push_back("    " + line);
}

/// Adds the forecast of a dry run, and the options that are set.
void add_planned(const record& r, row_writer& row) {
    row("method", single_line(r.forecast->method));
    row("time", duration_text(*r.forecast));
    row("baseline", single_line(r.forecast->baseline));
    std::string options;
    for (const auto& [name, origin] : r.origins) {
        if (name == "mode") continue;
        options += fmt::format("{}{}={} ({})", options.empty() ? "" : ", ", single_line(name),
                               single_line(option_of(r, name)), single_line(origin));
    }
    row("options", options);
}

/// Adds a table of speedups over the first subject.
void add_comparison(const record& r, row_writer& row) {
    std::size_t widest = 0;
    for (const compared_subject& c : r.compared) widest = std::max(widest, columns_of(single_line(c.subject)));
    for (const compared_subject& c : r.compared) {
        const std::string level =
            c.speedup.level > 0.0 ? fmt::format(", {:.4g} %", 100.0 * c.speedup.level) : std::string{};
        row("speedup",
            fmt::format("{}  {} ({}{})", padded(single_line(c.subject), widest), format_value(c.speedup.value, r.unit),
                        format_range(c.speedup.low, c.speedup.high, r.unit), level));
    }
}

/// Whether the claim is an error without a measurement: then its method and disturbances mean nothing.
bool is_unmeasured_error(const record& r) {
    return r.verdict == verdict::error && !r.estimate && amount_text(r).empty();
}

/// Adds disturbances, differences, notes and advice.
void add_remarks(const record& r, row_writer& row) {
    if (!is_unmeasured_error(r)) row("disturbed", disturbance_text(r.disturbed));
    if (r.baseline) {
        for (const std::string& d : r.baseline->differences) row("differs", single_line(d));
    }
    for (const std::string& note : r.notes) row("note", single_line(note));
    for (const std::string& a : r.advice) row("advice", single_line(a));
}

/// The lines below the claim, in this order: change, reason, value, bound, evidence, disturbances, advice, place,
/// commands.
std::vector<std::string> console_rows(const record& r, console_style style) {
    std::vector<std::string> lines;
    row_writer row(lines, style.place);
    const std::string change = single_line(change_text(r));
    for (const std::string& line : wrapped(change, columns_of_block - 2)) lines.push_back("  " + line);
    row("reason", single_line(r.reason));
    if (r.forecast) add_planned(r, row);
    if (r.estimate) row("measured", measured_text(r));
    add_comparison(r, row);
    for (std::string& line : part_table(r.parts)) lines.push_back(std::move(line));
    if (has_claim(r)) row("bound", bound_row(r));
    row("evidence", evidence_row(r));
    if (!is_unmeasured_error(r)) row("method", single_line(r.evidence.method));
    if (r.verified) add_verification(lines, row, *r.verified);
    add_remarks(r, row);
    row.whole("key", single_line(r.key));
    if (r.baseline) row.whole("file", single_line(r.baseline->file));
    if (style.commands == console_commands::shown) {
        for (const auto& [name, command] : r.commands) row.whole(name, single_line(command));
    }
    return lines;
}

bool is_one_line(const record& r, console_style style) noexcept {
    return r.compared.empty() && (r.parts.empty() || !r.comparison.empty()) && !r.forecast &&
           style.verbosity != console_verbosity::verbose && (has_succeeded(r.verdict) || r.verdict == verdict::skipped);
}

/// "; not as recorded: compiler, flags": the names of all differences from the recorded fingerprint.
std::string short_differences(const record& r) {
    std::string text;
    if (!r.baseline) return text;
    for (const std::string& difference : r.baseline->differences)
        text += (text.empty() ? "; not as recorded: " : ", ") + single_line(difference.substr(0, difference.find(':')));
    return text;
}

/// "1.29 (1.27 .. 1.31, 99 %), 34 rounds, 1.2 s", or why there is no value.
std::string short_result(const record& r) {
    if (r.verdict == verdict::skipped) return single_line(r.reason);
    std::vector<std::string> parts;
    if (r.estimate) parts.push_back(measured_text(r));
    if (r.verified) parts.push_back(fmt::format("outputs {}", to_string(r.verified->code)));
    if (std::string amount = amount_text(r); !amount.empty()) parts.push_back(std::move(amount));
    if (has_waited(r)) parts.push_back(format_seconds(r.disturbed.waited_seconds * 1e9) + " waiting for a processor");
    return fmt::format("{}{}", fmt::join(parts, ", "), short_differences(r));
}

/// Puts the text on the line of `head` if it fits there. Otherwise it goes below, broken into lines.
std::string beside_or_below(std::string_view head, std::string_view text) {
    constexpr std::size_t widest = 76;
    if (text.empty()) return {};
    if (columns_of(head) + 3 + columns_of(text) <= widest) return "   " + std::string(text);
    std::string below;
    for (const std::string& line : wrapped(text, widest - 4)) below += "\n  " + line;
    return below;
}

std::string notes_below(const record& r) {
    std::string text;
    for (const std::string& note : r.notes) {
        std::string_view label = "note: ";
        for (const std::string& line : wrapped(single_line(note), 68)) {
            text += fmt::format("\n  {:6}{}", label, line);
            label = {};
        }
    }
    return text;
}

}  // namespace detail

std::string render_console(const record& r, console_style style) {
    const std::string head = detail::headline(r, style);
    if (detail::is_one_line(r, style)) {
        if (style.verbosity == console_verbosity::quiet && detail::has_succeeded(r.verdict)) return {};
        return head + detail::beside_or_below(head, detail::short_result(r)) + detail::notes_below(r);
    }
    std::string text = head;
    for (const std::string& line : detail::console_rows(r, style)) text += "\n" + line;
    return text;
}

std::optional<double> room_to_bound(const record& r) noexcept {
    if (!r.estimate || !r.bound || r.comparison.empty()) return std::nullopt;
    const double distance = r.estimate->value - *r.bound;
    const double toward_good =
        r.tolerated ? std::min(r.tolerated->high - r.estimate->value, r.estimate->value - r.tolerated->low)
        : r.comparison.front() == '=' ? -std::abs(distance)
        : r.comparison.front() == '<' ? -distance
                                      : distance;
    if (!std::isfinite(toward_good)) return std::nullopt;
    if (*r.bound == 0.0) return toward_good == 0.0 ? 0.0 : std::copysign(1.0, toward_good);
    return toward_good / std::abs(*r.bound);
}

console_color color_for(bool on_terminal, const environment& variables) {
    const auto is_set = [&](const char* name) { return !variables.get(name).value_or("").empty(); };
    if (is_set("NO_COLOR")) return console_color::never;
    if (is_set("CLICOLOR_FORCE") && variables.get("CLICOLOR_FORCE") != "0") return console_color::always;
    return on_terminal && variables.get("TERM") != "dumb" ? console_color::always : console_color::never;
}

bool is_terminal(std::FILE* stream) noexcept { return ::isatty(::fileno(stream)) == 1; }

}  // namespace perfspec::inline v0_2
