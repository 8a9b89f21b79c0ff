// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Parts that the commands of the `perfspec` tool share. A command is a function from values to an `outcome`;
// `run_program` parses the command line and reads files, and main.cpp prints. Unusable input throws input_error;
// `run_program` turns it into the code `unusable`.

#include <perfspec/quantity/format.hpp>

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::tool {

/// The exit codes of every command. fine: nothing failed. wrong_input: a wrong command line, or a file that cannot be
/// read. open: too many claims are undecided, skipped or new. error: a claim is an error, or results are incomplete.
enum class exit_code : std::uint8_t { fine = 0, violated = 1, wrong_input = 2, open = 3, error = 4 };

/// The text that a command prints on the standard output, and its exit code.
struct outcome {
    std::string text{};
    exit_code code = exit_code::fine;
};

/// The path and the text of a file.
struct input_text {
    std::string path{};
    std::string text{};
};

/// Identifies a baseline entry in results and baseline files. The texts must outlive it.
struct entry_address {
    std::string_view hardware{};
    std::string_view variant{};
    std::string_view suite{};
    std::string_view key{};

    friend auto operator<=>(const entry_address&, const entry_address&) = default;
};

/// Whether a command writes files, or only shows what it would write.
enum class writing : std::uint8_t { dry_run, done };

/// Whether the pattern occurs in the text; `*` stands for any text. The empty pattern occurs in every text.
///
///     contains_pattern("sort / latency(std::sort)", "sort / *(std") is true
[[nodiscard]] bool contains_pattern(std::string_view text, std::string_view pattern) noexcept;

/// A value of a baseline file as text: by format_value if the unit is one of perfspec's, else the number and the unit.
[[nodiscard]] std::string value_text(double value, std::string_view unit);

/// Rows of cells; the first row is the head.
using table_rows = std::vector<std::vector<std::string>>;

/// Rows of cells as lines: each column is as wide as its widest cell, with two blanks between columns.
[[nodiscard]] std::string table_text(const table_rows& rows, std::string_view indentation);

}  // namespace perfspec::tool
