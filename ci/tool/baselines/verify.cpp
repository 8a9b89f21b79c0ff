// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "baselines.hpp"

#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/baseline/golden/golden_store.hpp>
#include <perfspec/baseline/project_file.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <optional>

namespace perfspec::tool {
namespace {

std::string proper_path(const baseline_address& where, const baseline_file&) { return path_of(where); }
std::string proper_path(const baseline_address& where, const golden_file&) { return golden_path_of(where); }

/// Whether a file of baselines has schema version 1. Such a file is valid; the next update of one of its keys writes it
/// as version 2.
bool is_of_older_version(std::string_view text) {
    constexpr std::string_view version_1 = "{\n  \"schema_version\": 1,\n";
    return text.starts_with(version_1) && baseline_file::schema_version > 1 && !has_golden_outputs(text);
}

/// What is wrong with a text; nothing where it is a file of this kind in its place.
template <class File>
std::optional<std::string> fault_of_text(const input_text& text, const std::string& folder, std::size_t& keys) {
    File file;
    try {
        file = parse_as<File>(text);
    } catch (const input_error& error) { return error.what(); }
    keys += file.entries.size();
    const std::string expected = proper_path({folder, file.hardware, file.variant, file.suite}, file);
    if (expected != text.path)
        return fmt::format(
            "{}: it says that it is {}, expected at {}\n  move the file to where it belongs, or remove it and record again",
            detail::single_line(text.path), title_of(file), detail::single_line(expected));
    if (is_of_older_version(text.text)) return {};
    if (render(file) != text.text)
        return fmt::format(
            "{}: not in the form that perfspec writes, expected keys in byte order and one recording session or output in each line\n"
            "  update or accept one of its keys to write it again, or restore it from version control",
            detail::single_line(text.path));
    return {};
}

}  // namespace

outcome verify_baselines(std::span<const input_text> texts, const std::string& folder) {
    outcome done;
    std::size_t keys = 0;
    std::size_t faults = 0;
    for (const input_text& text : texts) {
        const auto fault = is_name_of_golden_outputs(text.path) ? fault_of_text<golden_file>(text, folder, keys)
                                                                : fault_of_text<baseline_file>(text, folder, keys);
        if (!fault) continue;
        ++faults;
        done.text += *fault + '\n';
    }
    if (faults > 0) done.code = exit_code::unusable;
    done.text += fmt::format("{}, {}: {}\n", counted(texts.size(), "file"), counted(keys, "key"),
                             faults == 0 ? std::string("no faults") : counted(faults, "fault"));
    return done;
}

void verify_project_file(outcome& done, const file_system& disk, const std::string& folder, std::string_view now) {
    try {
        const auto [options, waivers] = read_project_file(disk, folder);
        if (!options.empty())
            done.text += fmt::format("{}: {}\n", project_file::name, counted(options.size(), "option"));
        for (const waiver& w : waivers)
            done.text +=
                fmt::format("{}: {} {}: {}, {} ({})\n", detail::single_line(w.place),
                            now.substr(0, w.until.size()) > w.until ? "its waiver ended on" : "waived until", w.until,
                            detail::single_line(w.key), detail::single_line(w.reason), detail::single_line(w.owner));
    } catch (const input_error& error) {
        done.text += std::string(error.what()) + '\n';
        done.code = exit_code::unusable;
    }
}

}  // namespace perfspec::tool
