// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/options.hpp>
#include <perfspec/plan/plan.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// One table describes every option for the command line, the environment, the project file, calls, the help, records
// and child processes. To add an option, add one row in option_table-inl.hpp.

namespace perfspec::inline v0_2 {

/// How the value of an option is written.
///
/// duration    "10s", "1.5 ms"
/// percentage  "1%" or "0.01"; at a call `1_pct`
/// rate        "0.001" or "0.1%"; at a call `0.001`
/// count       "30", or "auto" if perfspec can choose
/// word        one of a list
/// text        anything
/// axes        "batch=8,batch=16" (`parse_axis_filter`)
/// settings    "device=accelerator:1,dtype=bfloat16,batch=8,threads=2", or some of these
enum class option_kind : std::uint8_t { duration, percentage, rate, count, word, text, axes, settings };

/// Where an option may be set: everywhere; only outside the call (command line, environment, project file); only at the
/// call.
enum class option_scope : std::uint8_t { everywhere, outside, call };

/// A legal value of an option. An empty value means "auto". Counts and words are integers.
using option_value = std::variant<std::monostate, std::chrono::nanoseconds, double, std::uint64_t, std::string>;

/// One spelling of one value of an option of kind word. Texts use the first spelling of a value.
struct option_word {
    std::string_view text;
    std::uint64_t value{};
};

/// The legal numbers, in base units. Both ends are legal, but `above` excludes the lower one.
struct option_range {
    double low{};
    double high{};
    bool above{};
};

/// One row of the table.
struct option_description {
    option_id id{option_id::none};
    std::string_view name;  ///< "false_failure": at the call and in a record
    option_kind kind{option_kind::text};
    option_scope scope{option_scope::everywhere};
    std::string_view legal;          ///< an example that parses
    std::string_view bare{};         ///< the value of `--perf-NAME` alone; empty: a value is required
    std::string_view help;           ///< one line, without the default
    std::string_view by_default{};   ///< the help's text on the default, if not its value
    std::string_view not_in_file{};  ///< why the project file cannot set it; empty: it can
    option_range range{};
    std::span<const option_word> words{};  ///< for the kind word; for a count, "auto" if that is legal
    void (*assign)(plan&, const option_value&){};
    option_value (*read)(const plan&){};
};

/// Every option, in the order in which help prints them.
[[nodiscard]] std::span<const option_description> option_table() noexcept;
/// The row of an option. Throws input_error for `option_id::none`.
[[nodiscard]] const option_description& describe(option_id id);
/// The row with this name ("false_failure"), or null.
[[nodiscard]] const option_description* find_option(std::string_view name) noexcept;

/// The help's text on the default: "1%", "ci where CI is set, else local".
[[nodiscard]] std::string default_text(const option_description& row);

/// "--perf-false-failure".
[[nodiscard]] std::string command_line_name(const option_description& row);
/// "PERFSPEC_FALSE_FAILURE".
[[nodiscard]] std::string environment_name(const option_description& row);

namespace detail {

/// The first spelling of this value, or "?" if it has none.
[[nodiscard]] const char* spelling(std::span<const option_word> words, std::uint64_t value) noexcept;

}  // namespace detail

/// Reads the text of a value. `spelled` is the user's text with the option, such as "--perf-budget=abc"; `legal` is a
/// legal example. Throws input_error with these if the text is not a value of this option or out of its range.
[[nodiscard]] option_value parse_option(const option_description& row, std::string_view text, std::string_view spelled,
                                        std::string_view legal);
/// The text that `parse_option` reads as exactly this value.
[[nodiscard]] std::string option_text(const option_description& row, const option_value& value);

/// The value of one option at a call: `budget(10s)`. Throws input_error for an illegal value, with the option as the
/// call spells it.
[[nodiscard]] option_value call_value(const option& called);

/// The value of the option `only`: for each axis the values, of which a claim must have one.
using axis_filter = std::map<std::string, std::set<std::string>>;

/// Parses "batch=8,batch=16,device=cpu". An axis repeats for each of its values. `\,` is a comma within a value; `\`
/// before any other character is that character. Empty if a part has no "=", or no name before it. The empty text lets
/// every claim pass.
[[nodiscard]] std::optional<axis_filter> parse_axis_filter(std::string_view text);

/// Whether `only` leaves out a claim with these axes: the claim lacks an axis of the filter, or has another value.
[[nodiscard]] bool leaves_out(const plan& p, const std::vector<std::pair<std::string, std::string>>& axes);

}  // namespace perfspec::inline v0_2
