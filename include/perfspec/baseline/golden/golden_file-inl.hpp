// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/baseline_file-inl.hpp>
#include <perfspec/baseline/baseline_store-inl.hpp>
#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/baseline/golden/golden_file.hpp>
#include <perfspec/baseline/process_fields.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace perfspec::inline v0_2 {
namespace detail {

template <>
inline constexpr std::tuple fields_of<golden_outputs>{
    field{"made_by", &golden_outputs::made_by},
    field{"time", &golden_outputs::time},
    field{"commit", &golden_outputs::commit},
    field{"outputs", &golden_outputs::outputs},
};
template <> inline constexpr auto name_member<golden_outputs> = &golden_outputs::key;

inline constexpr std::string_view golden_entries = "golden_outputs";

inline void check_entry(const golden_outputs& entry, const json_value& value) {
    if (const auto fault = fault_of(entry)) throw json_fault(value.line, *fault);
}

[[nodiscard]] inline std::string render_golden_outputs(const golden_outputs& entry) {
    std::string outputs;
    for (const std::string& each : entry.outputs)
        outputs += (outputs.empty() ? "\n        " : ",\n        ") + json(each);
    return fmt::format(
        "{{\n      \"made_by\": {},\n      \"time\": {},\n      \"commit\": {},\n      \"outputs\": [{}\n      ]\n    }}",
        json(entry.made_by), json(entry.time), json(entry.commit), outputs);
}

}  // namespace detail

golden_file parse_golden_file(std::string_view text, std::string_view path) {
    return detail::parse_keyed_file<golden_file>(
        text, path, detail::golden_entries, {.whole = "a file of golden outputs", .example = "\"schema_version\": 1"});
}

std::string render_golden_file(const golden_file& file) {
    return detail::render_keyed_file(file, detail::golden_entries, detail::render_golden_outputs);
}

std::optional<std::string> fault_of(const golden_outputs& entry) {
    if (entry.outputs.empty()) return "it has no outputs";
    const bool whole = detail::is_utf8(entry.key) && detail::is_utf8(entry.made_by) && detail::is_utf8(entry.time) &&
                       detail::is_utf8(entry.commit) && std::ranges::all_of(entry.outputs, detail::is_utf8);
    return whole ? std::nullopt : std::optional<std::string>("its text is not UTF-8");
}

std::string output_difference(const golden_outputs& stored, const golden_outputs& now) {
    if (stored.outputs.size() != now.outputs.size())
        return fmt::format("{} outputs, but {} are stored", now.outputs.size(), stored.outputs.size());
    for (std::size_t i = 0; i < stored.outputs.size(); ++i)
        if (stored.outputs[i] != now.outputs[i])
            return fmt::format("{}, stored was {}", now.outputs[i], stored.outputs[i]);
    return {};
}

std::string origin_text(const golden_outputs& stored) {
    std::string text = stored.time.empty() ? "" : " on " + stored.time.substr(0, 10);
    if (!stored.commit.empty()) text += " of commit " + stored.commit.substr(0, 10);
    return stored.made_by.empty() ? text : text + " by " + stored.made_by;
}

std::string golden_path_of(const baseline_address& address) {
    return detail::folder_of(address) + '/' + path_component(address.suite) + ".golden";
}

golden_store::golden_store(file_system& files, baseline_address where)
    : files_(files), where_(std::move(where)), path_(golden_path_of(where_)) {}

keyed_snapshot<golden_outputs> golden_store::load() const {
    return detail::load_keyed_file<golden_outputs>(files_, where_, path_, parse_golden_file);
}

void golden_store::keep(const golden_outputs& fresh) {
    detail::with_remedy(path_, where_, [&] {
        files_.create_folders(detail::folder_of(where_));
        const auto guard = files_.lock(detail::folder_of(where_), std::chrono::seconds(30));
        golden_file file = detail::usable_file_of(load(), where_);
        file.insert_or_replace(fresh);
        files_.write_atomically(path_, render_golden_file(file));
    });
}

}  // namespace perfspec::inline v0_2
