// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/change.hpp>

#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string_view>

namespace perfspec::inline v0_2 {
namespace detail {

/// Whether a change is written as a factor: two or more, or a half or less. Smaller changes are percentages.
[[nodiscard]] inline bool is_large(double ratio) noexcept { return ratio >= 2.0 || ratio <= 0.5; }

/// "2.7x", "35x", "0.37x".
[[nodiscard]] inline std::string factor_text(double ratio) {
    return ratio >= 9.95 ? fmt::format("{:.0f}x", ratio) : fmt::format("{:.2g}x", ratio);
}

[[nodiscard]] inline bool is_about_one(double ratio) noexcept { return std::abs(ratio - 1.0) < 0.0005; }

/// A change of times: "2.7x slower than", "8.5 % slower than", "in 25 % less time than".
[[nodiscard]] inline std::string slower_than(double ratio) {
    if (is_about_one(ratio)) return "as fast as";
    if (ratio > 1.0) return (is_large(ratio) ? factor_text(ratio) : format_percentage(ratio - 1.0)) + " slower than";
    return is_large(ratio) ? factor_text(1.0 / ratio) + " faster than"
                           : "in " + format_percentage(1.0 - ratio) + " less time than";
}

/// A change of any quantity: "2.7x", "8.5 % above", "equal to".
[[nodiscard]] inline std::string relative_text(double ratio) {
    if (ratio > 0.0 && is_large(ratio)) return factor_text(ratio);
    if (is_about_one(ratio)) return "equal to";
    return format_percentage(std::abs(ratio - 1.0)) + (ratio > 1.0 ? " above" : " below");
}

[[nodiscard]] inline bool is_positive(double v) noexcept { return std::isfinite(v) && v > 0.0; }

std::optional<double> ratio_to_baseline(const record& r) {
    if (!r.estimate || !r.baseline || !is_positive(r.baseline->median) || !is_positive(r.estimate->value))
        return std::nullopt;
    if (r.baseline->action != baseline_action::compared && r.baseline->action != baseline_action::baseline_build)
        return std::nullopt;
    return r.estimate->value / r.baseline->median;
}

/// A limit for a comparison with a baseline: a round factor ("1.05x"), otherwise the value ("12.3 MiB").
[[nodiscard]] inline std::string limit_text(const record& r, double limit) {
    const double factor = limit / r.baseline->median;
    const double rounded = std::round(factor * 1000.0) / 1000.0;
    if (is_positive(factor) && std::abs(factor - rounded) < 1e-9) return fmt::format("{:g}x", rounded);
    return format_value(limit, r.unit);
}

/// "at most 1.05x allowed", "at least 0.95 needed", "0.9 to 1.1 allowed". `show` writes a limit.
template <class Show> [[nodiscard]] std::string allowed_text(const record& r, Show show) {
    if (r.tolerated) return show(r.tolerated->low) + " to " + show(r.tolerated->high) + " allowed";
    if (r.comparison.starts_with('<')) return "at most " + show(*r.bound) + " allowed";
    if (r.comparison.starts_with('>')) return "at least " + show(*r.bound) + " needed";
    return show(*r.bound) + " needed";
}

[[nodiscard]] inline std::string change_against_baseline(const record& r, double ratio) {
    const std::string_view other =
        r.baseline->action == baseline_action::baseline_build ? "the baseline build" : "the baseline";
    const std::string change = r.unit == dimension::time ? slower_than(ratio) : relative_text(ratio);
    const auto show = [&](double limit) { return limit_text(r, limit); };
    return fmt::format("{} {}: {}, was {}; {}", change, other, format_value(r.estimate->value, r.unit),
                       format_value(r.baseline->median, r.unit), allowed_text(r, show));
}

/// The change of a speedup(before, after), with the names of both; empty for another query.
[[nodiscard]] inline std::string change_of_speedup(const record& r) {
    if (r.metric != "speedup" || r.subjects.size() != 2 || !is_positive(r.estimate->value)) return {};
    std::string before = printable(r.subjects[0].subject);
    std::string after = printable(r.subjects[1].subject);
    if (printable(r.query) != "speedup(" + before + ", " + after + ")") return {};
    if (before == after) {  // of two files, or two processes
        before.insert(0, "the first ");
        after.insert(0, "the second ");
    }
    const double speedup = r.estimate->value;
    if (r.verdict == verdict::undecided && r.estimate->low <= 1.0 && r.estimate->high >= 1.0)
        return fmt::format("no difference is shown between {} and {}: speedup {} ({})", before, after,
                           format_value(speedup, r.unit), format_range(r.estimate->low, r.estimate->high, r.unit));
    const std::string change =
        speedup > 1.0 && !is_about_one(speedup)
            ? (is_large(speedup) ? factor_text(speedup) : format_percentage(speedup - 1.0)) + " faster than"
            : slower_than(1.0 / speedup);
    return fmt::format("{} is {} {}: speedup {}", after, change, before, format_value(speedup, r.unit));
}

[[nodiscard]] inline std::string change_against_bound(const record& r) {
    const double value = r.estimate->value;
    const std::string text = format_value(value, r.unit);
    if (r.tolerated && value >= r.tolerated->low && value <= r.tolerated->high) return "within the tolerance: " + text;
    const double limit = !r.tolerated ? *r.bound : value < r.tolerated->low ? r.tolerated->low : r.tolerated->high;
    if (!is_positive(limit) || !is_positive(value)) return text;
    return relative_text(value / limit) + " the bound: " + text;
}

}  // namespace detail

std::string change_text(const record& r) {
    if (!r.estimate || !r.bound || r.comparison.empty()) return {};
    if (!std::isfinite(r.estimate->value) || !std::isfinite(*r.bound)) return {};
    if (const auto ratio = detail::ratio_to_baseline(r)) return detail::change_against_baseline(r, *ratio);
    std::string change = detail::change_of_speedup(r);
    if (change.empty()) change = detail::change_against_bound(r);
    return change + ", " + detail::allowed_text(r, [&](double limit) { return format_value(limit, r.unit); });
}

std::string change_from_baseline(const record& r) {
    const auto ratio = detail::ratio_to_baseline(r);
    if (!ratio) return {};
    return detail::is_large(*ratio) ? detail::factor_text(*ratio) : format_change(*ratio - 1.0);
}

}  // namespace perfspec::inline v0_2
