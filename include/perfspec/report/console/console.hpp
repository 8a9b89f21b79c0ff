// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/plan.hpp>
#include <perfspec/report/record.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace perfspec {

enum class console_colour : std::uint8_t { never, always };

/// Whether a block ends with what to type. Left out where a framework breaks long lines; the summary has the commands in one piece.
enum class console_commands : std::uint8_t { shown, left_out };

/// Whether a block begins with its place and claim. Left out where a framework prints these itself.
enum class console_place : std::uint8_t { shown, left_out };

/// How records look on a console; who makes one decides whether there is a terminal.
struct console_style {
    console_colour colour{console_colour::never};
    console_verbosity verbosity{console_verbosity::normal};
    console_commands commands{console_commands::shown};
    console_place place{console_place::shown};
};

/// One record for people: claim, measured value, bound, evidence, picture, disturbances, place, commands (README.md, "Reading a verdict").
///
/// A claim that holds, or a query that was only recorded, is one line; verbose writes the whole block for it too, quiet nothing.
/// The text has no line break at its end, and is empty only for that quiet case.
[[nodiscard]] std::string render_console(const record& r, console_style style);

/// The end of a run: a table of the judged claims, the one closest to its bound first, then the counts of verdicts, how many of the assertions
/// are expected to fail at their bounds by chance, and the time that measuring took. Empty without records.
[[nodiscard]] std::string render_summary(std::span<const record> records, console_style style);

/// How far the measured value lies on the good side of its bound, as a fraction of the bound; negative beyond it. Nothing without a value or a
/// bound. With a tolerance, from its nearer end. A bound of zero gives the sign only: 0 on it, +1 or -1 off it.
[[nodiscard]] std::optional<double> room_to_bound(const record& r) noexcept;

}  // namespace perfspec
