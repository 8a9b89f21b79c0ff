// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/console/console.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Parts of lines that blocks, single lines and the summary share, and their widths.

namespace perfspec::inline v0_2::detail {

/// The text on one line. Characters that would control a terminal are made visible.
[[nodiscard]] std::string single_line(std::string_view text);

/// The action instead of judging: the action on a baseline that was written
/// or kept on purpose. Otherwise empty.
[[nodiscard]] std::string_view done_instead(const record& r) noexcept;

/// The word for the verdict, or for the action instead; in color if the style has colors.
[[nodiscard]] std::string verdict_word(const record& r, console_style style);

/// "sort_test.cpp:12: PERF_CHECK( latency(f) < 3ms )  violated".
[[nodiscard]] std::string headline(const record& r, console_style style);

/// "1.29 (1.27 .. 1.31, 99 %)". Precondition: the record has a measured value.
[[nodiscard]] std::string measured_text(const record& r);

/// "< 3 ms", or "== 3 ms (2.85 .. 3.15 ms)" with a tolerance. Precondition: the record has a bound.
[[nodiscard]] std::string compared_text(const record& r);

/// "34 rounds, repeated by 21 in a fresh process, 1.2 s": the amount and the time of measuring. Empty if nothing was
/// measured.
[[nodiscard]] std::string amount_text(const record& r, bool with_budget = false);

/// "at most 1 s; for slow bodies, or if a claim looks violated, at most 2 min": the time limits of a forecast. Empty
/// without limits.
[[nodiscard]] std::string duration_text(const forecast& f);

/// "  again:   ctest -R sort": a label and a command.
[[nodiscard]] std::string command_line(std::string_view name, std::string_view command);

/// The value of an option of the record's plan; empty if the plan does not have it.
[[nodiscard]] std::string_view option_of(const record& r, std::string_view name) noexcept;

/// Whether to print a result. A claim that holds, or is undecided and may pass, is printed only with a note or
/// verbosity=verbose.
[[nodiscard]] bool deserves_a_word(const record& r) noexcept;

/// The assertion's false-failure rate at its bound: of the method, otherwise of the option, otherwise the default.
[[nodiscard]] double false_failure_of(const record& r);

/// Whether the assertion has a claim: on a bound, or on equal outputs.
[[nodiscard]] bool has_claim(const record& r) noexcept;

/// Whether a waiver lets the test pass although the claim is violated or undecided.
[[nodiscard]] bool is_waived(const record& r) noexcept;

/// Whether a claim is undecided, and its whole interval is beyond its bound: a regression, unless chance explains it.
[[nodiscard]] bool looks_violated(const record& r) noexcept;

/// Whether the test is skipped because the claim looks violated. Not under PERF_WARN, a waiver or undecided::pass.
[[nodiscard]] bool skips_test(const record& r) noexcept;

/// The number of terminal columns that UTF-8 text takes, if each character takes one column.
[[nodiscard]] std::size_t columns_of(std::string_view text) noexcept;

/// The text, padded with blanks to this many columns.
[[nodiscard]] std::string padded(std::string_view text, std::size_t columns);

/// The text, shortened to at most this many columns (at least two). Two dots replace the rest.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t columns);

/// Breaks a text into lines of at most this many columns, at blanks. It prefers a blank after a semicolon or a comma in
/// the second half of the line, and never breaks between a number and its unit. A longer word stays whole.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

/// The lines of a table. Each cell is padded to the width of its column, and `gap` stands before each.
[[nodiscard]] std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& rows, std::string_view gap);

}  // namespace perfspec::inline v0_2::detail
