// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/console/console.hpp>

#include <string>
#include <string_view>

// Parts of lines that blocks, single lines and the summary share.

namespace perfspec::detail {

/// The text on one line, with what a terminal would obey made visible.
[[nodiscard]] std::string single_line(std::string_view text);

/// What was done where nothing was to be judged: "recorded" for a query without a bound, the action on a baseline that was written or kept
/// on purpose; empty for every other record.
[[nodiscard]] std::string_view done_instead(const record& r) noexcept;

/// The verdict as a word, or what was done instead; in colour where the style says so.
[[nodiscard]] std::string verdict_word(const record& r, console_style style);

/// "sort_test.cpp:12: PERF_CHECK( latency(f) < 3ms )  violated".
[[nodiscard]] std::string headline(const record& r, console_style style);

/// "1.29 (1.27 .. 1.31, 99 %)". Precondition: measured.
[[nodiscard]] std::string measured_text(const record& r);

/// "< 3 ms", or "== 3 ms (2.85 .. 3.15 ms)" with a tolerance. Precondition: bound.
[[nodiscard]] std::string compared_text(const record& r);

/// "34 rounds, repeated by 21 in a fresh process, 1.2 s": what was measured, and how long that took; empty when nothing was.
[[nodiscard]] std::string amount_text(const record& r);

/// "  again:   ctest -R sort": a label and what to type.
[[nodiscard]] std::string command_line(std::string_view what, std::string_view command);

/// The value of an option of the record's plan; empty where the plan does not name it.
[[nodiscard]] std::string_view option_of(const record& r, std::string_view name) noexcept;

/// How often the assertion fails at its bound: the method's own rate, else the option's, else the default.
[[nodiscard]] double false_failure_of(const record& r);

/// Whether anything was claimed: a bound, or equal outputs.
[[nodiscard]] bool has_claim(const record& r) noexcept;

/// "0.1 s", "0.1 s to 1 s".
[[nodiscard]] std::string seconds_range(double minimum, double maximum);

}  // namespace perfspec::detail
