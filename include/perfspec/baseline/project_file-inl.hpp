// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/project_file.hpp>

#include <perfspec/baseline/file_system.hpp>
#include <perfspec/baseline/process_fields.hpp>
#include <perfspec/plan/option_table.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace perfspec::inline v0_2 {
namespace detail {

inline constexpr json_limits limits_of_project_files{
    .depth = 8, .values = 1000, .whole = "a project file", .example = "\"margin\": \"1%\""};

/// A legal line of the file, such as "\"rounds\": 100".
inline std::string legal_line(const option_description& row) {
    const std::string_view quote = row.kind == option_kind::count ? "" : "\"";
    return fmt::format("\"{}\": {}{}{}", row.name, quote, row.legal, quote);
}

/// The remedy for a name that is not an option of the file.
inline std::string remedy_for_name(std::string_view unknown) {
    std::vector<std::string> known;
    for (const option_description& row : option_table())
        if (row.not_in_file.empty()) known.emplace_back(row.name);
    if (const auto near = nearest_name(unknown, known))
        return fmt::format("did you mean {}?", legal_line(*find_option(*near)));
    return fmt::format("the options are \"{}\"; tolerated violations belong in the list \"waivers\"",
                       fmt::join(known, "\", \""));
}

inline std::string text_of_value(const json_value& value, const option_description& row, const std::string& place) {
    if (value.kind == json_kind::string) return value.text;
    if (value.kind == json_kind::number && value.whole && row.kind == option_kind::count) return value.text;
    throw input_error(
        fmt::format("{}: {} is {}; write for example {}", place, excerpt(value.name), shown(value), legal_line(row)));
}

inline project_option option_of_member(const json_value& member, std::string place) {
    const option_description* const row = find_option(member.name);
    if (row == nullptr)
        throw input_error(fmt::format("{}: {} is not an option of perfspec; {}", place, excerpt(member.name),
                                      remedy_for_name(member.name)));
    if (!row->not_in_file.empty())
        throw input_error(fmt::format(
            "{}: \"{}\" cannot be given here: {}; remove the line{}", place, row->name, row->not_in_file,
            row->scope == option_scope::call ? std::string{}
                                             : fmt::format(", and write {}={} or {}={}", command_line_name(*row),
                                                           row->legal, environment_name(*row), row->legal)));
    std::string text = text_of_value(member, *row, place);
    static_cast<void>(parse_option(*row, text, fmt::format("{}: \"{}\"", place, row->name), legal_line(*row)));
    return {row->id, std::move(text), std::move(place)};
}

inline constexpr std::string_view legal_waiver_in_file =
    "{\"key\": \"sort / latency(*)\", \"ceiling\": \"20%\", \"until\": \"2027-01-31\", \"reason\": \"the new library sorts slower\", "
    "\"owner\": \"#123\"}";

template <>
inline constexpr std::tuple fields_of<waiver>{
    field{"key", &waiver::key},       field{"ceiling", &waiver::ceiling}, field{"until", &waiver::until},
    field{"reason", &waiver::reason}, field{"owner", &waiver::owner},
};
/// The place is not in the file.
template <> inline constexpr bool every_member_is_a_field<waiver> = member_count<waiver>() == 6;

/// Whether a pattern has no word of three letters or digits between its stars: "*", "* / *", "*(*".
inline bool covers_any_claim(std::string_view pattern) noexcept {
    if (pattern.find('*') == std::string_view::npos) return false;
    std::size_t letters = 0;
    for (const char c : pattern) {
        const bool is_letter = is_slug_letter(to_lower(c)) || static_cast<unsigned char>(c) >= 0x80;
        letters = is_letter ? letters + 1 : 0;
        if (letters == 3) return false;
    }
    return true;
}

inline waiver waiver_of_item(const json_value& item, std::string_view path) {
    waiver w{.place = fmt::format("{}:{}", path, item.line)};
    const auto refuse = [&](const std::string& why) {
        throw json_fault(item.line, fmt::format("{}; write for example {}", why, legal_waiver_in_file));
    };
    read_field(item, w, {.path = "waiver", .strict = true});
    visit_fields(w, [&](std::string_view name, const std::string& text) {
        if (trimmed(text).empty()) refuse(fmt::format("the waiver has no \"{}\"", name));
    });
    if (covers_any_claim(w.key))
        refuse(fmt::format("the key {} of the waiver matches every claim, or nearly all", excerpt(w.key)));
    check_waiver(w, fmt::format("{}: the waiver of {}", w.place, excerpt(w.key)));
    return w;
}

inline std::vector<waiver> waivers_of_member(const json_value& member, std::string_view path) {
    require_kind(member, json_kind::array, {"waivers"}, "a list");
    std::vector<waiver> waivers;
    for (const json_value& item : member.items) waivers.push_back(waiver_of_item(item, path));
    return waivers;
}

}  // namespace detail

project_settings parse_project_file(std::string_view text, std::string_view path) {
    try {
        const detail::json_value root = detail::read_json(text, detail::limits_of_project_files);
        if (root.kind != detail::json_kind::object)
            throw detail::json_fault(root.line,
                                     "the file is not a JSON object, expected one such as {\"margin\": \"1%\"}");
        project_settings settings;
        for (const detail::json_value& member : root.items) {
            if (member.name == "waivers") settings.waivers = detail::waivers_of_member(member, path);
            else if (member.name != "$schema")
                settings.options.push_back(detail::option_of_member(member, fmt::format("{}:{}", path, member.line)));
        }
        return settings;
    } catch (const detail::json_fault& fault) {
        throw input_error(fmt::format("{}:{}: {}\n  correct the line, or restore the file from version control", path,
                                      fault.line, fault.what()));
    }
}

project_settings read_project_file(const file_system& files, const std::string& folder) {
    const std::string path = fmt::format("{}{}{}", folder, folder.ends_with('/') ? "" : "/", project_file::name);
    const file_text read = files.read(path, project_file::max_bytes);
    if (read.outcome == read_outcome::complete) return parse_project_file(read.text, path);
    if (read.outcome == read_outcome::missing && !files.is_folder(path)) return {};
    throw input_error(fmt::format(
        "{}: {}, expected a file of options such as {{\"margin\": \"1%\"}}; correct its permissions, or remove it",
        path, files.is_folder(path) ? "is a folder" : read.reason));
}

}  // namespace perfspec::inline v0_2
