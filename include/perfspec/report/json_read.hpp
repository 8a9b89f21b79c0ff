// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/record_fields.hpp>

#include <perfspec/baseline/json_tree.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Reads the fields of a record from JSON, the inverse of json_write.hpp. `path` names a field in messages:
// "evidence.seed". Each function throws input_error for a value of the wrong kind.

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
