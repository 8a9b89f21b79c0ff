// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/baseline_file-inl.hpp>
#include <perfspec/baseline/baseline_store-inl.hpp>
#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/baseline/golden/golden_file.hpp>
#include <perfspec/baseline/json_tree.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace perfspec {
namespace detail {

inline constexpr std::string_view golden_entries = "golden_outputs";

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
    if (const auto fault = fault_of(read))
        throw json_fault(outputs.line, fmt::format("{}, expected {}", *fault, expected));
    return read;
}

[[nodiscard]] inline golden_file read_golden_file(std::string_view text) {
    constexpr std::array<std::string_view, 5> members{"schema_version", "hardware", "build_variant", "suite",
                                                      golden_entries};
    json_value root = read_json(text, {.whole = "a file of golden outputs", .example = "\"schema_version\": 1"});
    require_kind(root, json_kind::object, "an object");
    upgrade(root, {}, golden_file::schema_version);
    refuse_unknown_members(root, members);
    auto file = read_addressed_file<golden_file>(root);
    const json_value& entries = required(root, golden_entries, "an object");
    require_kind(entries, json_kind::object, "an object");
    for (const json_value& each : entries.items) file.entries.push_back(read_golden_outputs(each));
    std::ranges::sort(file.entries, {}, &golden_outputs::key);
    return file;
}

[[nodiscard]] inline std::string render_golden_outputs(const golden_outputs& entry) {
    if (const auto fault = fault_of(entry))
        throw input_error(fmt::format("the golden outputs of {} cannot be stored: {}", excerpt(entry.key), *fault));
    std::string outputs;
    for (const std::string& each : entry.outputs)
        outputs += (outputs.empty() ? "\n        " : ",\n        ") + json_string(each);
    return fmt::format(
        "    {}: {{\n      \"made_by\": {},\n      \"when\": {},\n      \"commit\": {},\n      \"outputs\": [{}\n      ]\n    }}",
        json_string(entry.key), json_string(entry.made_by), json_string(entry.when), json_string(entry.commit),
        outputs);
}

}  // namespace detail

golden_file parse_golden_file(std::string_view text, std::string_view path) {
    try {
        return detail::read_golden_file(text);
    } catch (const detail::json_fault& fault) {
        throw input_error(fmt::format(
            "{}:{}: {}\n  restore it from version control, or remove it and store the outputs again:  PERFSPEC_UPDATE_BASELINES=missing "
            "ctest",
            path, fault.line, fault.what()));
    }
}

std::string render_golden_file(const golden_file& file) {
    return detail::render_keyed_file(file, detail::golden_entries, detail::render_golden_outputs);
}

std::optional<std::string> fault_of(const golden_outputs& entry) {
    if (entry.outputs.empty()) return "it has no outputs";
    const bool whole = detail::is_utf8(entry.key) && detail::is_utf8(entry.made_by) && detail::is_utf8(entry.when) &&
                       detail::is_utf8(entry.commit) && std::ranges::all_of(entry.outputs, detail::is_utf8);
    return whole ? std::nullopt : std::optional<std::string>("its text is not UTF-8");
}

std::string output_difference(const golden_outputs& kept, const golden_outputs& now) {
    if (kept.outputs.size() != now.outputs.size())
        return fmt::format("{} outputs, stored were {}", now.outputs.size(), kept.outputs.size());
    for (std::size_t i = 0; i < kept.outputs.size(); ++i)
        if (kept.outputs[i] != now.outputs[i]) return fmt::format("{}, stored was {}", now.outputs[i], kept.outputs[i]);
    return {};
}

std::string origin_text(const golden_outputs& kept) {
    std::string text = kept.when.empty() ? "" : " on " + kept.when.substr(0, 10);
    if (!kept.commit.empty()) text += " of commit " + kept.commit.substr(0, 10);
    return kept.made_by.empty() ? text : text + " by " + kept.made_by;
}

std::string golden_path_of(const baseline_address& address) {
    return detail::folder_of(address) + '/' + path_component(address.suite) + ".golden";
}

golden_store::golden_store(file_system& files, baseline_address where)
    : files_(files), where_(std::move(where)), path_(golden_path_of(where_)) {}

golden_snapshot golden_store::load() const {
    return detail::load_keyed_file<golden_snapshot>(files_, where_, path_, parse_golden_file);
}

golden_lookup golden_store::find(std::string_view key) const {
    const golden_snapshot stored = load();
    if (stored.outcome != lookup_outcome::found) return {stored.outcome, {}, stored.reason};
    if (const golden_outputs* kept = stored.file.find(key)) return {lookup_outcome::found, *kept, {}};
    return {lookup_outcome::no_entry, {}, {}};
}

void golden_store::keep(const golden_outputs& fresh) {
    detail::with_remedy(path_, where_, [&] {
        files_.create_folders(detail::folder_of(where_));
        const auto held = files_.lock(detail::folder_of(where_), std::chrono::seconds(30));
        golden_file file = detail::usable_file_of(load(), where_);
        file.insert_or_replace(fresh);
        files_.write_atomically(path_, render_golden_file(file));
    });
}

}  // namespace perfspec
