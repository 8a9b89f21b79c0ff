// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/options.hpp>
#include <perfspec/plan/plan.hpp>

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// One table describes every option. Parsing (command line, environment), the check of what a call gives, the help text, the rendering in a
// record, and the text in which a plan travels to a child process all read this table; adding an option is one row in option_table.ipp.

namespace perfspec {

/// How the value of an option is written.
///
/// duration    "10s", "1.5 ms"; stretchable_duration besides "10s+": may grow up to `cap`
/// percentage  "1%" or "0.01"; at a call `1_pct`
/// rate        "0.001" or "0.1%"; at a call `0.001`
/// count       "30", or "auto" where perfspec can choose
/// word        one of a list
/// text        anything
enum class option_kind : std::uint8_t { duration, stretchable_duration, percentage, rate, count, word, text };

/// Where an option may be given: at the call and on the command line and in the environment; only in the latter two; only at the call.
enum class option_scope : std::uint8_t { everywhere, outside, call };

/// "10s+": the number without the plus, and whether it was there.
struct stretchable_duration {
    std::chrono::nanoseconds length{};
    bool stretches{};

    friend constexpr bool operator==(const stretchable_duration&, const stretchable_duration&) = default;
};

/// A value that was read and lies in the option's range. Nothing: "auto". Counts and words are integers.
using option_value = std::variant<std::monostate, std::chrono::nanoseconds, stretchable_duration, double, std::uint64_t, std::string>;

/// One spelling of one value of an option of kind word; the first spelling of a value is the one that is printed.
struct option_word {
    std::string_view text;
    std::uint64_t value{};
};

/// The legal numbers, in base units; both ends are legal unless `above` is set, which excludes the lower one.
struct option_range {
    double low{};
    double high{};
    bool above{};
};

/// One row of the table.
struct option_description {
    option_id id{option_id::none};
    std::string_view name;              ///< "false_failure": at the call and in a record
    option_kind kind{option_kind::text};
    option_scope scope{option_scope::everywhere};
    std::string_view legal;             ///< an example that parses
    std::string_view bare;              ///< the value of `--perf-NAME` without one; empty: a value must be given
    std::string_view help;              ///< one line, without the default
    option_range range{};
    std::span<const option_word> words;
    void (*assign)(plan&, const option_value&){};
    option_value (*read)(const plan&){};
};

/// Every option, in the order in which help prints them.
[[nodiscard]] std::span<const option_description> option_table() noexcept;
/// The row of an option. throws input_error for `option_id::none`.
[[nodiscard]] const option_description& describe(option_id id);
/// The row with this name ("false_failure"), or null.
[[nodiscard]] const option_description* find_option(std::string_view name) noexcept;

/// "--perf-false-failure".
[[nodiscard]] std::string command_line_name(const option_description& row);
/// "PERFSPEC_FALSE_FAILURE".
[[nodiscard]] std::string environment_name(const option_description& row);

/// Reads the text of a value. `spelled` is what the user wrote, such as "--perf-budget=abc"; `legal` how a right one looks.
/// throws input_error with all three when the text is no value of this option, or out of its range.
[[nodiscard]] option_value parse_option(const option_description& row, std::string_view text, std::string_view spelled, std::string_view legal);
/// The text that `parse_option` reads back as exactly this value.
[[nodiscard]] std::string option_text(const option_description& row, const option_value& value);

/// The value of one option at a call: `budget(10s)`.
/// throws input_error, naming the option as the call spells it, when its number is out of range.
[[nodiscard]] option_value call_value(const option& given);

/// The plan as names and values, in table order; each pair can be given again on the command line or in the environment. For records.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> plan_options(const plan& p);

/// The plan as one line for one environment variable: "budget=10s;cap=120s;…". `plan_from_text` gives the same plan back, exactly.
[[nodiscard]] std::string to_text(const plan& p);
/// throws input_error when the text names an option that this build does not have, or a value that does not parse. An option that the text does
/// not name keeps its default.
[[nodiscard]] plan plan_from_text(std::string_view text);

/// The lines of `--help` about options, one an option, with default and both other spellings.
[[nodiscard]] std::string option_help();

/// The spelling in options and records.
[[nodiscard]] const char* to_string(confirmation c) noexcept;
[[nodiscard]] const char* to_string(undecided_effect e) noexcept;
[[nodiscard]] const char* to_string(missing_baseline_policy p) noexcept;
[[nodiscard]] const char* to_string(baseline_update u) noexcept;
[[nodiscard]] const char* to_string(evaluation_mode m) noexcept;
[[nodiscard]] const char* to_string(console_verbosity v) noexcept;

}  // namespace perfspec
