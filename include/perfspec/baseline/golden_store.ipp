// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/baseline_file.ipp>
#include <perfspec/baseline/baseline_store.ipp>
#include <perfspec/baseline/golden_store.hpp>
#include <perfspec/baseline/json_tree.hpp>
#include <perfspec/baseline/path_component.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace perfspec {
namespace detail {

inline constexpr unsigned golden_schema_version = 1;

[[nodiscard]] inline golden_outputs read_golden_outputs(const json_value& value) {
    constexpr std::array<std::string_view, 4> members{"made_by", "when", "commit", "outputs"};
    constexpr std::string_view expected = "a list such as [\"output 1, float32[1,1000]: 9ae16a3b2f90404f\"]";
    require_kind(value, json_kind::object, "an object with \"outputs\"");
    refuse_unknown_members(value, members);
    golden_outputs read{.key = value.name,
                        .made_by = optional_text(value, "made_by"),
                        .when = optional_text(value, "when"),
                        .commit = optional_text(value, "commit")};
    const json_value& outputs = required(value, "outputs", expected);
    require_kind(outputs, json_kind::array, expected);
    for (const json_value& each : outputs.items)
        read.outputs.push_back(text_of(each, "text such as \"output 1, bool[4]: 9ae16a3b2f90404f\""));
    return read;
}

[[nodiscard]] inline std::vector<golden_outputs> read_golden_file(std::string_view text) {
    constexpr std::array<std::string_view, 2> members{"schema_version", "golden_outputs"};
    json_value root = read_json(text, {.whole = "a file of golden outputs", .example = "\"schema_version\": 1"});
    require_kind(root, json_kind::object, "an object");
    upgrade(root, {}, golden_schema_version);
    refuse_unknown_members(root, members);
    const json_value& entries = required(root, "golden_outputs", "an object");
    require_kind(entries, json_kind::object, "an object");
    std::vector<golden_outputs> all;
    for (const json_value& each : entries.items) all.push_back(read_golden_outputs(each));
    return all;
}

[[nodiscard]] inline std::string render_golden_outputs(const golden_outputs& entry) {
    std::string outputs;
    for (const std::string& each : entry.outputs) outputs += (outputs.empty() ? "\n        " : ",\n        ") + json_string(each);
    return fmt::format(
        "    {}: {{\n      \"made_by\": {},\n      \"when\": {},\n      \"commit\": {},\n      \"outputs\": [{}\n      ]\n    }}",
        json_string(entry.key), json_string(entry.made_by), json_string(entry.when), json_string(entry.commit), outputs);
}

}  // namespace detail

std::vector<golden_outputs> parse_golden_file(std::string_view text, std::string_view path) {
    try {
        return detail::read_golden_file(text);
    } catch (const detail::json_fault& fault) {
        throw input_error(fmt::format(
            "{}:{}: {}\n  restore it from version control, or remove it and keep the outputs again:  PERFSPEC_UPDATE_BASELINES=missing ctest",
            path, fault.line, fault.what()));
    }
}

std::string render_golden_file(std::vector<golden_outputs> entries) {
    std::ranges::sort(entries, {}, &golden_outputs::key);
    std::string text;
    for (const golden_outputs& each : entries) text += (text.empty() ? "\n" : ",\n") + detail::render_golden_outputs(each);
    return fmt::format("{{\n  \"schema_version\": {},\n  \"golden_outputs\": {{{}\n  }}\n}}\n", detail::golden_schema_version, text);
}

golden_store::golden_store(file_system& files, const baseline_address& where)
    : files_(files), where_(where), folder_(detail::folder_of(where)), path_(folder_ + '/' + path_component(where.suite) + ".golden") {}

golden_lookup golden_store::find(std::string_view key) const {
    const auto read = files_.read(path_, baseline_file::most_bytes);
    if (read.outcome == read_outcome::missing)
        return {files_.is_folder(folder_) ? lookup_outcome::no_file : lookup_outcome::no_hardware, {}, {}};
    if (read.outcome != read_outcome::complete) return {lookup_outcome::unreadable, {}, detail::unreadable_reason(path_, read.reason)};
    try {
        for (golden_outputs& each : parse_golden_file(read.text, path_)) {
            if (each.key == key) return {lookup_outcome::found, std::move(each), {}};
        }
        return {lookup_outcome::no_entry, {}, {}};
    } catch (const input_error& error) { return {lookup_outcome::corrupt, {}, error.what()}; }
}

void golden_store::keep(golden_outputs fresh) {
    detail::with_remedy(path_, where_, [&] {
        files_.create_folders(folder_);
        const auto held = files_.lock(folder_, std::chrono::seconds(30));
        const auto read = files_.read(path_, baseline_file::most_bytes);
        if (read.outcome != read_outcome::complete && read.outcome != read_outcome::missing)
            throw input_error(detail::unreadable_reason(path_, read.reason));
        auto entries = read.outcome == read_outcome::missing ? std::vector<golden_outputs>{} : parse_golden_file(read.text, path_);
        std::erase_if(entries, [&](const golden_outputs& each) { return each.key == fresh.key; });
        entries.push_back(std::move(fresh));
        files_.write_atomically(path_, render_golden_file(std::move(entries)));
        return true;
    });
}

}  // namespace perfspec
