// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/baseline_file.hpp>
#include <perfspec/baseline/process_fields.hpp>
#include <perfspec/baseline/sessions/recording_session.hpp>
#include <perfspec/baseline/stored_process.hpp>
#include <perfspec/quantity/json_tree.hpp>
#include <perfspec/quantity/text.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace perfspec::inline v0_2 {
namespace detail {

template <>
inline constexpr std::tuple fields_of<baseline_entry>{
    field{"unit", &baseline_entry::unit},         field{"better", &baseline_entry::direction},
    field{"source", &baseline_entry::source},     field{"recorded_on", &baseline_entry::recorded_on},
    field{"operators", &baseline_entry::profile}, field{"sessions", &baseline_entry::processes},
};
template <> inline constexpr auto name_member<baseline_entry> = &baseline_entry::key;

inline void require_version(const json_value& root, unsigned current) {
    const json_value& version = required(root, "schema_version");
    const std::uint64_t stored = read_whole(version, {"schema_version"}, 1'000'000'000);
    if (stored == current) return;
    const bool is_older = stored < current;
    throw json_fault(version.line, fmt::format("schema version {} is from {} perfspec, expected {}{}", stored,
                                               is_older ? "an older" : "a newer", current,
                                               is_older ? "" : ": update perfspec to read it"));
}

inline void check_entry(const baseline_entry& entry, const json_value& value) {
    if (const auto fault = fault_of(entry)) throw json_fault(value.line, *fault);
}

/// Reads an entry, and adds its key to the text of a fault.
template <class Entry> [[nodiscard]] Entry read_named_entry(const json_value& value) {
    try {
        Entry entry;
        entry.key = value.name;
        read_field(value, entry, {.strict = true});
        check_entry(entry, value);
        return entry;
    } catch (const json_fault& fault) {
        throw json_fault(fault.line, fmt::format("{}\n  in the entry {}", fault.what(), excerpt(value.name)));
    }
}

template <class File>
[[nodiscard]] File read_keyed_file(std::string_view text, std::string_view entries_name, const json_limits& limits) {
    const json_value root = read_json(text, limits);
    require_kind(root, json_kind::object, {"the file"}, "an object");
    require_version(root, File::schema_version);
    refuse_unknown_members(root, {"schema_version", "hardware", "build_variant", "suite", entries_name});
    File file;
    read_field(required(root, "hardware"), file.hardware, {"hardware"});
    read_field(required(root, "build_variant"), file.variant, {"build_variant"});
    read_field(required(root, "suite"), file.suite, {"suite"});
    const json_value& entries = required(root, entries_name);
    require_kind(entries, json_kind::object, {std::string(entries_name)}, "an object of entries by key");
    for (const json_value& each : entries.items)
        file.entries.push_back(read_named_entry<typename File::entry_type>(each));
    std::ranges::sort(file.entries, {}, &File::entry_type::key);
    return file;
}

template <class File>
[[nodiscard]] File parse_keyed_file(std::string_view text, std::string_view path, std::string_view entries_name,
                                    const json_limits& limits) {
    try {
        return read_keyed_file<File>(text, entries_name, limits);
    } catch (const json_fault& fault) {
        throw input_error(fmt::format(
            "{}:{}: {}\n  restore it from version control, or remove it and record again:  PERFSPEC_UPDATE_BASELINES=missing ctest",
            path, fault.line, fault.what()));
    }
}

[[nodiscard]] inline std::string render_entry(const baseline_entry& entry) {
    std::string text =
        fmt::format("{{\n      \"unit\": {},\n      \"better\": {},", json(entry.unit), json(entry.direction));
    if (!entry.source.empty()) text += fmt::format("\n      \"source\": {},", json(entry.source));
    text += fmt::format("\n      \"recorded_on\": {},", json_in_file(entry.recorded_on));
    if (entry.profile) text += fmt::format("\n      \"operators\": {},", json_in_file(*entry.profile));
    std::string sessions;
    for (const stored_session& session : sessions_of(entry.processes))
        sessions += (sessions.empty() ? "\n        " : ",\n        ") + json_in_file(session);
    return text + "\n      \"sessions\": [" + sessions + "\n      ]\n    }";
}

template <class File> void require_utf8_names(const File& file) {
    for (const auto* name : {&file.hardware, &file.variant, &file.suite})
        if (!is_utf8(*name))
            throw input_error(fmt::format(
                "the name {} is not UTF-8, expected a hardware key, build variant or suite such as \"vision_test\"; rename it",
                excerpt(*name)));
}

/// Writes the text of a file: its address, then its entries, each as `render_one` writes it.
template <class File, class Render>
[[nodiscard]] std::string render_keyed_file(const File& file, std::string_view entries_name, const Render& render_one) {
    require_utf8_names(file);
    std::string entries;
    for (const auto& entry : file.entries) {
        if (const auto fault = fault_of(entry))
            throw input_error(fmt::format("the entry {} cannot be stored: {}", excerpt(entry.key), *fault));
        entries += fmt::format("{}\n    {}: {}", entries.empty() ? "" : ",", json(entry.key), render_one(entry));
    }
    return fmt::format(
        "{{\n  \"schema_version\": {},\n  \"hardware\": {},\n  \"build_variant\": {},\n  \"suite\": {},\n"
        "  \"{}\": {{{}}}\n}}\n",
        File::schema_version, json(file.hardware), json(file.variant), json(file.suite), entries_name,
        entries.empty() ? entries : entries + "\n  ");
}

}  // namespace detail

baseline_file parse_baseline_file(std::string_view text, std::string_view path) {
    return detail::parse_keyed_file<baseline_file>(text, path, "entries", {});
}

std::string render_baseline_file(const baseline_file& file) {
    return detail::render_keyed_file(file, "entries", detail::render_entry);
}

}  // namespace perfspec::inline v0_2
