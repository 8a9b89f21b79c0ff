// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// JSON values with their line numbers, for error messages. nlohmann's own tree does not keep line numbers.
namespace perfspec::inline v0_2::detail {

enum class json_kind : std::uint8_t { null, boolean, number, string, array, object };

struct json_value {
    json_kind kind = json_kind::null;
    std::uint32_t line = 1;
    std::string name{};               ///< the member's name in its object
    std::string text{};               ///< a string's text; "true", "false", "null"; the digits of a whole number
    double number = 0;                ///< a number's value; finite
    bool whole = false;               ///< a number without fraction and exponent, not negative
    std::vector<json_value> items{};  ///< the items of an array or the members of an object, in the order of the text

    [[nodiscard]] const json_value* member(std::string_view wanted) const noexcept;
};

/// Limits far above any baseline file.
struct json_limits {
    std::size_t depth = 16;
    std::size_t values = 3'000'000;
    // How errors name the expected text.
    std::string_view whole = "a baseline file";
    std::string_view example = "\"unit\": \"ns\"";
};

/// Text that is not JSON, or that perfspec does not accept. The message names the text and the expectation.
struct json_fault : std::runtime_error {
    json_fault(std::size_t where, const std::string& what) : std::runtime_error(what), line(where) {}
    std::size_t line;
};

/// Reads a JSON text. Throws json_fault for text that the grammar forbids (NaN, comments, a cut text) and bytes that
/// are not UTF-8. Throws it also for a name that occurs twice in an object, a number beyond double, and an exceeded
/// limit.
[[nodiscard]] json_value read_json(std::string_view text, const json_limits& limits = {});

/// The value in a message: "a list", "42", "\"ns\"".
[[nodiscard]] std::string shown(const json_value& value);

/// The shortest number that reads back as the same double. Precondition: value is finite. Plain decimals from
/// 1e-5 to 1e15, exponents beyond.
[[nodiscard]] std::string json_number(double value);

}  // namespace perfspec::inline v0_2::detail
