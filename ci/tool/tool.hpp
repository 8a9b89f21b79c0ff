// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// What the commands of the `perfspec` tool share. A command is a function from values to an `outcome`; main.cpp reads files, parses the command
// line and prints. Unusable input throws input_error, which main.cpp prints before it exits with `unusable`.

#include <perfspec/quantity/format.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace perfspec::tool {

/// The exit codes of every command.
enum class exit_code : std::uint8_t { holds = 0, violated = 2, undecided = 3, unusable = 4 };

/// What a command says on the standard output, and its exit code.
struct outcome {
    std::string text{};
    exit_code code = exit_code::holds;
};

/// A file as it was read.
struct input_text {
    std::string path{};
    std::string text{};
};

/// What a baseline entry is known by, in results and in baseline files alike. The texts must outlive it.
struct entry_address {
    std::string_view hardware{};
    std::string_view variant{};
    std::string_view suite{};
    std::string_view key{};

    friend auto operator<=>(const entry_address&, const entry_address&) = default;
};

/// Whether a command writes what it says.
enum class writing : std::uint8_t { left_out, done };

/// Whether a file of this name is one of golden outputs.
[[nodiscard]] constexpr bool is_name_of_golden_outputs(std::string_view name) noexcept { return name.ends_with(".golden"); }

/// Whether a file in a folder of hardware is one of baselines or golden outputs, and not hidden, as one that is being written is.
[[nodiscard]] constexpr bool is_name_of_baselines(std::string_view name) noexcept {
    return !name.starts_with('.') && (name.ends_with(".json") || is_name_of_golden_outputs(name));
}

/// Whether the text has the pattern somewhere in it; `*` stands for any text. The empty pattern is in every text.
///
///     contains_pattern("sort / latency(std::sort)", "sort / *(std") is true
[[nodiscard]] bool contains_pattern(std::string_view text, std::string_view pattern) noexcept;

/// A value of a baseline file for people: as format_value where the unit is one of perfspec's, else the number and the unit.
[[nodiscard]] std::string value_text(double value, std::string_view unit);

}  // namespace perfspec::tool
