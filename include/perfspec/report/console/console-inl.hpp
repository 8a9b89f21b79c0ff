// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/console/console.hpp>

#include <perfspec/process/printable.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_rows.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/report/console/text_width.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace perfspec {
namespace detail {

bool is_one_line(const record& r, console_style style) noexcept {
    return r.compared.empty() && (r.parts.empty() || !r.comparison.empty()) && !r.planned &&
           style.verbosity != console_verbosity::verbose &&
           (r.verdict == verdict::holds || r.verdict == verdict::not_judged);
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
    if (r.verdict == verdict::not_judged) return single_line(r.reason);
    std::vector<std::string> parts;
    if (r.estimate) parts.push_back(measured_text(r));
    if (r.verified) parts.push_back(fmt::format("outputs {}", to_string(r.verified->code)));
    if (std::string amount = amount_text(r); !amount.empty()) parts.push_back(std::move(amount));
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
        if (style.verbosity == console_verbosity::quiet && r.verdict == verdict::holds) return {};
        return head + detail::beside_or_below(head, detail::short_result(r)) + detail::notes_below(r);
    }
    std::string text = head;
    for (const std::string& line : detail::console_rows(r, style)) text += "\n" + line;
    return text;
}

std::optional<double> room_to_bound(const record& r) noexcept {
    if (!r.estimate || !r.bound || r.comparison.empty()) return std::nullopt;
    const double distance = r.estimate->centre - *r.bound;
    const double toward_good =
        r.tolerated ? std::min(r.tolerated->high - r.estimate->centre, r.estimate->centre - r.tolerated->low)
        : r.comparison.front() == '=' ? -std::abs(distance)
        : r.comparison.front() == '<' ? -distance
                                      : distance;
    if (!std::isfinite(toward_good)) return std::nullopt;
    if (*r.bound == 0.0) return toward_good == 0.0 ? 0.0 : std::copysign(1.0, toward_good);
    return toward_good / std::abs(*r.bound);
}

}  // namespace perfspec
