// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/environment.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/report/claim_result.hpp>

#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>

namespace perfspec::inline v0_2 {

enum class console_color : std::uint8_t { never, always };

/// Whether a block ends with commands to type. A framework that breaks long lines should leave them out; the summary
/// has them in one piece.
enum class console_commands : std::uint8_t { shown, left_out };

/// Whether a block begins with its place and claim. A framework that prints these itself should leave them out.
enum class console_place : std::uint8_t { shown, left_out };

/// How records look on a console.
struct console_style {
    console_color color{console_color::never};
    console_verbosity verbosity{console_verbosity::normal};
    console_commands commands{console_commands::shown};
    console_place place{console_place::shown};
};

/// Writes one record for people: claim, value, bound, evidence, picture, disturbances, place, commands (README.md,
/// "Reading a verdict").
///
/// A claim that holds or is skipped takes one line, and so does a query that was recorded without a table. `verbose`
/// writes the whole block for these, too; the text is empty only with `quiet`, for what holds or was recorded in one
/// line. It has no line break at its end.
[[nodiscard]] std::string render_console(const record& r, console_style style);

/// Writes the end of a run: a table of the judged claims, the one closest to its bound first, the counts of verdicts,
/// and the time that measuring took. Empty without records.
[[nodiscard]] std::string render_summary(std::span<const record> records, console_style style);

/// How far the measured value is on the good side of its bound, as a fraction of the bound; negative if it is beyond.
/// With a tolerance it is the distance from the nearer end. A bound of zero gives only the sign: 0 on it, +1 or -1 off
/// it. Empty without a value or a bound.
[[nodiscard]] std::optional<double> room_to_bound(const record& r) noexcept;

/// Whether to write colors: on a terminal, unless NO_COLOR is set (no-color.org) or TERM is "dumb". With
/// CLICOLOR_FORCE, everywhere unless NO_COLOR is set.
[[nodiscard]] console_color color_for(bool on_terminal, const environment& variables);

/// Whether the stream is written to a terminal.
[[nodiscard]] bool is_terminal(std::FILE* stream) noexcept;

}  // namespace perfspec::inline v0_2
