// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/text.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/report/json_lines.hpp>
#include <perfspec/report/record_fields.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace perfspec::inline v0_2::detail {

std::optional<std::string> axis_of(const record& r, std::string_view name) {
    const auto found = std::ranges::find(r.axes, name, [](const auto& axis) { return std::string_view(axis.first); });
    return found == r.axes.end() ? std::nullopt : std::optional{found->second};
}

}  // namespace perfspec::inline v0_2::detail

namespace perfspec::inline v0_2 {
namespace detail {

/// The fields that a `started` line lacks, because they need the measurement.
constexpr std::string_view fields_of_result[] = {
    "verdict",  "failed",   "waiver",    "on_request", "reason",   "failure",   "advice",     "notes",
    "measured", "compared", "parts",     "operators",  "bound",    "tolerated", "bound_text", "evidence",
    "subjects", "workers",  "disturbed", "baseline",   "verified", "forecast",  "commands"};

std::string line_of(const record& r, std::string_view kind) {
    json_members members;
    members.add("schema", r.schema);
    members.add("kind", kind);
    visit_fields(r, [&](std::string_view name, const auto& value) {
        const bool is_left_out =
            kind == "started" && std::ranges::find(fields_of_result, name) != std::end(fields_of_result);
        if (name != "schema" && !is_left_out) members.add(name, value);
    });
    return members.object();
}

json_value parsed_line(std::string_view line) {
    if (!line.starts_with('{') || !line.ends_with('}'))
        throw json_fault(1,
                         fmt::format("found {}, expected a whole line such as {{\"schema\":1,\"kind\":\"result\",...}}",
                                     line.empty() ? "nothing" : excerpt(line)));
    return read_json(line, {.whole = "a line of results", .example = R"({"schema":1,"kind":"result","time":"…"})"});
}

void check_schema(const json_value& line) {
    const json_value* schema = line.member("schema");
    if (schema == nullptr)
        throw input_error(
            "no \"schema\" in the line, expected 1, so these are not results of perfspec: name the file that "
            "--perf-output wrote");
    const auto version = read_whole(*schema, {"schema"}, std::numeric_limits<int>::max());
    if (version > json_lines_schema) {
        throw input_error(fmt::format(
            "\"schema\" is {}, and this perfspec reads up to {}: read the file with the perfspec that wrote it, or a newer one",
            version, json_lines_schema));
    }
}

json_line_kind kind_of(const json_value& line) {
    const json_value& kind = required(line, "kind");
    if (kind.text == "started") return json_line_kind::started;
    if (kind.text != "result") refuse_field(kind, {"kind"}, "\"started\" or \"result\"");
    return json_line_kind::result;
}

void refuse_contradiction(const record& r) {
    if (r.failed && is_waived(r))
        throw json_fault(1, "\"failed\" is true and the claim is waived, which fails no test");
    if (r.failed && (has_succeeded(r.verdict) || r.verdict == verdict::skipped))
        throw json_fault(
            1, fmt::format("\"failed\" is true and \"verdict\" is \"{}\", which fails no test", file_word(r.verdict)));
}

json_line read_line(std::string_view line) {
    const json_value tree = parsed_line(line);
    check_schema(tree);
    json_line read{kind_of(tree), {}};
    read_field(tree, read.about, json_place{});
    if (read.kind == json_line_kind::started) return read;
    // Without these, a result must not look like a pass.
    for (const char* name : {"time", "key", "verdict", "failed"}) static_cast<void>(required(tree, name));
    refuse_contradiction(read.about);
    return read;
}

}  // namespace detail

std::string to_json_line(const record& r) { return detail::line_of(r, "result"); }

std::string to_started_line(const record& about) { return detail::line_of(about, "started"); }

json_line read_json_line(std::string_view line) {
    try {
        return detail::read_line(line);
    } catch (const detail::json_fault& fault) {
        throw input_error(fmt::format("{}; delete the line, or run the tests again", fault.what()));
    }
}

record from_json_line(std::string_view line) { return read_json_line(line).about; }

void append_result(file_system& files, const std::string& path, const std::string& line) {
    try {
        files.append_line(path, line);
    } catch (const file_error& e) {
        throw input_error(std::string(e.what()) +
                          "; name a file that can be written, such as --perf-output=results.jsonl");
    }
}

}  // namespace perfspec::inline v0_2
