// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/json_tree.hpp>
#include <perfspec/quantity/text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <istream>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace perfspec::inline v0_2::detail {

const json_value* json_value::member(std::string_view wanted) const noexcept {
    const auto found =
        std::find_if(items.begin(), items.end(), [&](const json_value& item) { return item.name == wanted; });
    return found == items.end() ? nullptr : &*found;
}

std::string shown(const json_value& value) {
    switch (value.kind) {
    case json_kind::object: return "an object";
    case json_kind::array: return "a list";
    case json_kind::string: return excerpt(value.text);
    case json_kind::number: return json_number(value.number);
    case json_kind::boolean:
    case json_kind::null: break;
    }
    return value.text;
}

/// Counts lines up to ascending positions, in one pass.
class line_counter {
public:
    explicit line_counter(std::string_view text) noexcept : text_(text) {}
    [[nodiscard]] std::uint32_t at(std::size_t position) noexcept {
        for (; counted_ < position; ++counted_)
            if (text_[counted_] == '\n') ++line_;
        return line_;
    }

private:
    std::string_view text_;
    std::size_t counted_ = 0;
    std::uint32_t line_ = 1;
};

/// The handler of nlohmann's SAX parser. Builds the tree, within the limits.
class json_tree_builder {
public:
    json_tree_builder(std::string_view text, std::istream& read, const json_limits& limits) noexcept
        : text_(text), read_(read), limits_(limits), lines_(text) {}

    [[nodiscard]] json_value take() { return std::move(root_); }

    bool null() { return leaf({.kind = json_kind::null, .text = "null"}); }
    bool boolean(bool value) { return leaf({.kind = json_kind::boolean, .text = value ? "true" : "false"}); }
    bool number_integer(std::int64_t value) {
        return leaf({.kind = json_kind::number, .number = static_cast<double>(value)});
    }
    bool number_unsigned(std::uint64_t value) {
        return leaf({.kind = json_kind::number,
                     .text = std::to_string(value),
                     .number = static_cast<double>(value),
                     .whole = true});
    }
    bool number_float(double value, const std::string&) { return leaf({.kind = json_kind::number, .number = value}); }
    bool string(std::string& value) { return leaf({.kind = json_kind::string, .text = std::move(value)}); }
    bool binary(nlohmann::json::binary_t&) { return false; }  // JSON texts have none
    bool key(std::string& value) {
        name_ = std::move(value);
        return true;
    }
    bool start_object(std::size_t) { return open(json_kind::object); }
    bool start_array(std::size_t) { return open(json_kind::array); }
    bool end_array() {
        open_.pop_back();
        return true;
    }
    bool end_object() {
        reject_duplicate_keys(*open_.back());
        return end_array();
    }
    bool parse_error(std::size_t, const std::string& last_token, const nlohmann::json::exception& error);

private:
    /// The number of bytes read: the parser's events carry no position.
    [[nodiscard]] std::size_t position() const {
        return static_cast<std::size_t>(read_.rdbuf()->pubseekoff(0, std::ios::cur, std::ios::in));
    }
    [[nodiscard]] std::uint32_t line() {
        // After a number, the parser has read one character too many, which may be the end of the line.
        const std::size_t at = position();
        return lines_.at(at > 0 && text_[at - 1] == '\n' ? at - 1 : at);
    }
    json_value& add(json_value&& value);
    bool leaf(json_value&& value) {
        add(std::move(value));
        return true;
    }
    bool open(json_kind kind);
    static void reject_duplicate_keys(const json_value& object);

    std::string_view text_;
    std::istream& read_;
    json_limits limits_;
    line_counter lines_;
    std::size_t values_ = 0;
    std::string name_;
    json_value root_;
    std::vector<json_value*> open_;  // stays valid: a container gets no new item while one of its items is open
};

inline json_value& json_tree_builder::add(json_value&& value) {
    value.line = line();
    value.name = std::exchange(name_, {});
    if (++values_ > limits_.values)
        throw json_fault(value.line,
                         fmt::format("more than {} values, too many for {}", limits_.values, limits_.whole));
    return open_.empty() ? root_ = std::move(value) : open_.back()->items.emplace_back(std::move(value));
}

inline bool json_tree_builder::open(json_kind kind) {
    if (open_.size() >= limits_.depth)
        throw json_fault(line(),
                         fmt::format("more than {} levels of nesting, too many for {}", limits_.depth, limits_.whole));
    open_.push_back(&add({.kind = kind}));
    return true;
}

inline void json_tree_builder::reject_duplicate_keys(const json_value& object) {
    std::vector<const json_value*> members;
    for (const auto& item : object.items) members.push_back(&item);
    std::stable_sort(members.begin(), members.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
    const auto twin = std::adjacent_find(members.begin(), members.end(),
                                         [](const auto* a, const auto* b) { return a->name == b->name; });
    if (twin == members.end()) return;
    throw json_fault(twin[1]->line, fmt::format("{} appears twice, first in line {}, expected it once",
                                                excerpt(twin[1]->name), (*twin)->line));
}

[[nodiscard]] inline bool is_conflict_marker(std::string_view line) {
    constexpr std::array<std::string_view, 4> markers{"<<<<<<<", "=======", ">>>>>>>", "|||||||"};
    return std::any_of(markers.begin(), markers.end(),
                       [&](std::string_view marker) { return line.starts_with(marker); });
}

/// The token at a position, up to the next JSON marks. A mark out of place is returned itself.
[[nodiscard]] inline std::string_view token_at(std::string_view text, std::size_t position) {
    const auto before = text.substr(0, position).find_last_of(",:{[\"\n");
    const auto begin = before == std::string_view::npos ? 0 : before + 1;
    const auto after = std::min(text.find_first_of(",:}]\"\n", position), text.size());
    return trimmed(text.substr(begin, (after > begin ? after : position + 1) - begin));
}

/// Whether the character at a position closes a list or an object right after a comma.
[[nodiscard]] inline bool closes_after_comma(std::string_view text, std::size_t position) {
    if (position >= text.size() || (text[position] != '}' && text[position] != ']')) return false;
    return trimmed(text.substr(0, position)).ends_with(',');
}

inline bool json_tree_builder::parse_error(std::size_t, const std::string& last_token,
                                           const nlohmann::json::exception& error) {
    constexpr int number_overflow = 406;  // the id of this nlohmann error
    const std::string_view why = error.what();
    const std::size_t last_read = position() == 0 ? 0 : position() - 1;
    const std::size_t line_begin = text_.substr(0, last_read).rfind('\n') + 1;
    if (error.id == number_overflow)
        throw json_fault(line(),
                         fmt::format("{} is larger than any measurement can be, expected a number such as 3210000",
                                     excerpt(last_token)));
    if (is_conflict_marker(text_.substr(line_begin)))
        throw json_fault(line(), "unresolved merge conflict: keep one of its two sides");
    if (position() == text_.size() &&
        (why.find("unexpected end of input") != why.npos || why.find("missing closing quote") != why.npos))
        throw json_fault(lines_.at(text_.size()),
                         fmt::format("the text ends here, expected the rest of {}", limits_.whole));
    if (closes_after_comma(text_, last_read))
        throw json_fault(line(), fmt::format("found {} after a comma, expected no comma after the last value",
                                             excerpt(text_.substr(last_read, 1))));
    throw json_fault(line(), fmt::format("found {}, expected JSON such as {}", excerpt(token_at(text_, last_read)),
                                         limits_.example));
}

json_value read_json(std::string_view text, const json_limits& limits) {
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
        throw json_fault(1, "the text is in UTF-16: save it as UTF-8");
    std::istringstream read{std::string(text)};
    json_tree_builder builder(text, read, limits);
    nlohmann::json::sax_parse(read, &builder);
    return builder.take();
}

std::string json_number(double value) {
    std::array<char, 32> buffer{};
    const double size = std::abs(value);
    if (size == 0) return "0";
    const auto format = size >= 1e-5 && size < 1e15 ? std::chars_format::fixed : std::chars_format::scientific;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format).ptr;
    return {buffer.data(), end};
}

}  // namespace perfspec::inline v0_2::detail
