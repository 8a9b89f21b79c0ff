// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// A JSON text as values that know their line, so that an error names it. nlohmann's own tree does not.
namespace perfspec::detail {

enum class json_kind : std::uint8_t { null, boolean, number, string, array, object };

struct json_value {
    json_kind kind = json_kind::null;
    std::uint32_t line = 1;
    std::string name{};               ///< in its object
    std::string text{};               ///< of a string; "true", "false", "null"; the digits of a whole number
    double number = 0;                ///< of a number; finite
    bool whole = false;               ///< a number without fraction and exponent, not negative
    std::vector<json_value> items{};  ///< of an object, its members; in the order of the text

    [[nodiscard]] const json_value* member(std::string_view wanted) const noexcept;
};

/// What no baseline file comes near.
struct json_limits {
    std::size_t depth = 16;
    std::size_t values = 2'000'000;  ///< in the tree at one time
    // How errors name what was expected.
    std::string_view whole = "a baseline file";
    std::string_view example = "\"unit\": \"ns\"";
};

/// Takes the members of one object of the root each when it is complete, so that a large text is never a tree as a whole.
class json_member_taker {
public:
    virtual ~json_member_taker() = default;

    /// Whether the members of `object`, which begins now, shall be taken; of the root there is what stands before it.
    [[nodiscard]] virtual bool wants(const json_value& root_so_far, const json_value& object) = 0;
    /// Afterwards the tree keeps of this member its name and line alone. May throw json_fault.
    virtual void take(const json_value& member) = 0;
};

/// A text that is no JSON, or none that we take. The text of the exception is what was found and what was expected.
struct json_fault : std::runtime_error {
    json_fault(std::size_t where, const std::string& what) : std::runtime_error(what), line(where) {}
    std::size_t line;
};

/// Throws json_fault: for what the grammar forbids (NaN, comments, a cut text), bytes that are not UTF-8, a name that stands twice in an
/// object, a number beyond double, a limit exceeded.
[[nodiscard]] json_value read_json(std::string_view text, const json_limits& limits = {}, json_member_taker* taker = nullptr);

/// A string as JSON, with its quotes. Precondition: is_utf8(text).
[[nodiscard]] std::string json_string(std::string_view text);

/// The shortest number that reads back as the same double; finite. Plain decimals from 1e-5 to 1e15, exponents beyond.
[[nodiscard]] std::string json_number(double value);

}  // namespace perfspec::detail
