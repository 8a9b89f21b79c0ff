// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The project file, perfspec.json, and the plan of a run that reads it.
#include "fuzz/oracle.hpp"
#include "support/scripted_environment.hpp"

#include <perfspec/baseline/process_fields.hpp>
#include <perfspec/baseline/project_file.hpp>
#include <perfspec/plan/option_table.hpp>

#include <algorithm>

namespace perfspec::fuzz {
namespace {

/// A project file with these settings.
std::string written(const project_settings& settings) {
    detail::json_members members;
    for (const project_option& option : settings.options) members.add(describe(option.id).name, option.text);
    std::string waivers;
    for (const waiver& w : settings.waivers) {
        detail::json_members fields;
        for (const auto& [name, text] :
             {std::pair("key", &w.key), std::pair("reason", &w.reason), std::pair("owner", &w.owner),
              std::pair("ceiling", &w.ceiling), std::pair("until", &w.until)})
            fields.add(name, *text);
        waivers += (waivers.empty() ? "" : ",") + fields.object();
    }
    members.add_raw("waivers", "[" + waivers + "]");
    return members.object();
}

/// The settings without their places.
project_settings placeless(project_settings settings) {
    for (project_option& option : settings.options) option.place.clear();
    for (waiver& w : settings.waivers) w.place.clear();
    return settings;
}

void check_settings(const project_settings& settings) {
    const std::string text = written(settings);
    const project_settings again = placeless(parse_project_file(text, "perfspec.json"));
    const project_settings first = placeless(settings);
    require(again.options == first.options, "options are read back as the same value", text);
    require(again.waivers == first.waivers, "waivers are read back as the same value", text);
    const testing::scripted_environment none{};
    if (const auto p = accepted([&] { return resolve({}, {}, none, settings.options); }, "")) check_plan(*p);
}

}  // namespace
}  // namespace perfspec::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace perfspec;
    using namespace perfspec::fuzz;
    const auto read = [&] { return parse_project_file(text_of(data, size), "perfspec.json"); };
    if (const auto settings = accepted(read, "perfspec.json:")) check_settings(*settings);
    return 0;
}
