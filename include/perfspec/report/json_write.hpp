// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/json_tree.hpp>
#include <perfspec/report/record_fields.hpp>

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Reads the fields of a record from JSON. `path` names a field in messages: "evidence.seed". Each function throws
// input_error for a value of the wrong kind. Further down is the inverse, which writes them.

namespace perfspec::detail {

/// Throws input_error with the field, what was found, and what was expected.
[[noreturn]] void refuse_field(const json_value& found, std::string_view path, std::string_view expected);

[[nodiscard]] std::uint64_t read_whole(const json_value& v, std::string_view path, std::uint64_t maximum);

void read_field(const json_value& v, std::string& into, const std::string& path);
void read_field(const json_value& v, double& into, const std::string& path);
void read_field(const json_value& v, bool& into, const std::string& path);
void read_field(const json_value& v, verdict& into, const std::string& path);
void read_field(const json_value& v, better& into, const std::string& path);
void read_field(const json_value& v, dimension& into, const std::string& path);
void read_field(const json_value& v, verification_code& into, const std::string& path);
void read_field(const json_value& v, failure_kind& into, const std::string& path);
void read_field(const json_value& v, baseline_action& into, const std::string& path);
void read_field(const json_value& v, waiver_effect& into, const std::string& path);
void read_field(const json_value& v, std::vector<std::pair<std::string, std::string>>& into, const std::string& path);

template <std::integral T> void read_field(const json_value& v, T& into, const std::string& path) {
    into = static_cast<T>(read_whole(v, path, static_cast<std::uint64_t>(std::numeric_limits<T>::max())));
}
template <Described T> void read_field(const json_value& v, T& into, const std::string& path);
template <class T> void read_field(const json_value& v, std::optional<T>& into, const std::string& path);

template <class T> void read_field(const json_value& v, std::vector<T>& into, const std::string& path) {
    if (v.kind != json_kind::array) refuse_field(v, path, "a list");
    into.clear();
    for (const json_value& item : v.items) {
        const std::string here = path + "[" + std::to_string(into.size()) + "]";
        read_field(item, into.emplace_back(), here);
    }
}

/// Reads the fields of a struct. A field that is missing in the object keeps its value.
template <Described T> void read_field(const json_value& v, T& into, const std::string& path) {
    if (v.kind != json_kind::object) refuse_field(v, path, "an object");
    visit_fields(into, [&](std::string_view name, auto& value) {
        if (const json_value* found = v.member(name))
            read_field(*found, value, path.empty() ? std::string(name) : path + "." + std::string(name));
    });
}
template <class T> void read_field(const json_value& v, std::optional<T>& into, const std::string& path) {
    into.reset();
    if (v.kind == json_kind::null) return;
    T read{};
    read_field(v, read, path);
    into = std::move(read);
}

}  // namespace perfspec::detail

// Writes the values of a record as JSON. There is one overload for each kind of value; a struct goes through
// `visit_fields`.

namespace perfspec::detail {

/// The text, with U+FFFD instead of each byte that is not part of a UTF-8 character.
[[nodiscard]] std::string utf8_or_replaced(std::string_view text);

/// The word of a value in files. It has no blanks: "not_judged".
[[nodiscard]] std::string_view file_word(verdict v) noexcept;
[[nodiscard]] std::string_view file_word(better b) noexcept;
[[nodiscard]] std::string_view file_word(dimension d) noexcept;
[[nodiscard]] std::string_view file_word(verification_code c) noexcept;
[[nodiscard]] std::string_view file_word(failure_kind kind) noexcept;
[[nodiscard]] std::string_view file_word(baseline_action a) noexcept;
[[nodiscard]] std::string_view file_word(waiver_effect e) noexcept;

[[nodiscard]] std::string json(std::string_view text);
[[nodiscard]] std::string json(double number);
[[nodiscard]] inline std::string json(const std::string& text) { return json(std::string_view(text)); }
[[nodiscard]] inline std::string json(const char* text) { return json(std::string_view(text)); }
[[nodiscard]] inline std::string json(bool value) { return value ? "true" : "false"; }

/// Writes pairs as an object, in their order. If two have the same name, only the later one is written.
[[nodiscard]] std::string json(const std::vector<std::pair<std::string, std::string>>& pairs);

template <std::integral T> [[nodiscard]] std::string json(T number) { return std::to_string(number); }
template <class T>
requires std::is_enum_v<T>
[[nodiscard]] std::string json(T word) { return json(file_word(word)); }
template <Described T> [[nodiscard]] std::string json(const T& object);
template <class T> [[nodiscard]] std::string json(const std::optional<T>& value);

template <class T> [[nodiscard]] std::string json(const std::vector<T>& values) {
    std::string text = "[";
    for (const T& value : values) text += (text.size() == 1 ? "" : ",") + json(value);
    return text + "]";
}

/// Members of an object, one after another.
class json_members {
public:
    template <class T> void add(std::string_view name, const T& value) { add_raw(name, json(value)); }
    void add_raw(std::string_view name, std::string_view value) {
        text_ += text_.empty() ? "{" : ",";
        text_ += json(name);
        text_ += ':';
        text_ += value;
    }
    [[nodiscard]] std::string object() const { return text_.empty() ? "{}" : text_ + "}"; }

private:
    std::string text_;
};

template <Described T> std::string json(const T& object) {
    json_members members;
    visit_fields(object, [&](std::string_view name, const auto& value) { members.add(name, value); });
    return members.object();
}
template <class T> std::string json(const std::optional<T>& value) { return value ? json(*value) : "null"; }

}  // namespace perfspec::detail
