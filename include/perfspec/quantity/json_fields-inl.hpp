// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/json_fields.hpp>

#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace perfspec::inline v0_2::detail {

json_place json_place::member(std::string_view name) const {
    return {path.empty() ? std::string(name) : fmt::format("{}.{}", path, name), strict};
}

json_place json_place::item(std::size_t number) const { return {fmt::format("{}[{}]", path, number), strict}; }

void refuse_field(const json_value& value, const json_place& at, std::string_view expected) {
    throw json_fault(value.line, fmt::format("{} is {}, expected {}", excerpt(at.path), shown(value), expected));
}

void require_kind(const json_value& value, json_kind kind, const json_place& at, std::string_view expected) {
    if (value.kind != kind) refuse_field(value, at, expected);
}

void refuse_unknown_members(const json_value& object, const std::vector<std::string_view>& known) {
    for (const json_value& item : object.items)
        if (std::ranges::find(known, item.name) == known.end())
            throw json_fault(item.line, fmt::format("{} is unknown here, expected one of \"{}\"", excerpt(item.name),
                                                    fmt::join(known, "\", \"")));
}

const json_value& required(const json_value& object, std::string_view name) {
    if (const json_value* found = object.member(name)) return *found;
    throw json_fault(object.line, fmt::format("\"{}\" is missing", name));
}

std::uint64_t read_whole(const json_value& v, const json_place& at, std::uint64_t maximum) {
    const auto number = v.whole ? whole_number<std::uint64_t>(v.text) : std::nullopt;
    if (!number) refuse_field(v, at, "a whole number such as 42");
    if (*number > maximum) refuse_field(v, at, fmt::format("at most {}", maximum));
    return *number;
}

void read_field(const json_value& v, std::string& into, const json_place& at) {
    require_kind(v, json_kind::string, at, "a string");
    into = v.text;
}

void read_field(const json_value& v, double& into, const json_place& at) {
    if (v.kind == json_kind::number) {
        into = v.number;
    } else if (v.text == "inf" || v.text == "-inf" || v.text == "nan") {
        into = v.text == "nan" ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
        if (v.text == "-inf") into = -into;
    } else {
        refuse_field(v, at, "a number such as 1.5, or \"inf\", \"-inf\", \"nan\"");
    }
}

void read_field(const json_value& v, bool& into, const json_place& at) {
    require_kind(v, json_kind::boolean, at, "true or false");
    into = v.text == "true";
}

void read_field(const json_value& v, std::vector<std::pair<std::string, std::string>>& into, const json_place& at) {
    require_kind(v, json_kind::object, at, "an object of strings");
    into.clear();
    for (const json_value& item : v.items)
        read_field(item, into.emplace_back(item.name, std::string{}).second, at.member(item.name));
}

std::string file_word(better b) { return b == better::less ? "less" : "more"; }
std::string file_word(dimension d) { return std::string(base_unit(d)); }

std::string json(std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string utf8_or_replaced(std::string_view text) { return nlohmann::json::parse(json(text)).get<std::string>(); }

std::string json(double number) {
    if (std::isnan(number)) return "\"nan\"";
    if (std::isinf(number)) return number > 0 ? "\"inf\"" : "\"-inf\"";
    return json_number(number);
}

std::string json(const std::vector<std::pair<std::string, std::string>>& pairs) {
    json_members members;
    for (auto p = pairs.begin(); p != pairs.end(); ++p) {
        const bool repeated =
            std::any_of(p + 1, pairs.end(), [&](const auto& later) { return later.first == p->first; });
        if (!repeated) members.add(p->first, p->second);
    }
    return members.object();
}

json_value read_message(std::string_view line) {
    return read_json(line, {.whole = "a message", .example = R"({"iterations":5})"});
}

void json_members::add_raw(std::string_view name, std::string_view value) {
    text_ += text_.empty() ? "{" : ",";
    text_ += json(name);
    text_ += ':';
    text_ += value;
}

std::string with_blanks(std::string_view json) {
    std::string text;
    bool in_text = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        text += json[i];
        if (json[i] == '"') in_text = !in_text;
        else if (in_text && json[i] == '\\') text += json[++i];
        else if (!in_text && (json[i] == ',' || json[i] == ':')) text += ' ';
    }
    return text;
}

}  // namespace perfspec::inline v0_2::detail
