// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/json_lines.hpp>

#include <perfspec/process/printable.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/report/json_write.hpp>
#include <perfspec/report/xla_fields.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <optional>
#include <utility>

namespace perfspec {
namespace detail {

/// The fields that are known only after the measurement. A `started` line has all others.
constexpr std::string_view results[] = {"verdict",   "failed",    "waiver",     "on_request", "reason",   "failure",
                                        "advice",    "notes",     "measured",   "compared",   "parts",    "operators",
                                        "bound",     "tolerated", "bound_text", "evidence",   "subjects", "workers",
                                        "disturbed", "baseline",  "verified",   "planned",    "commands"};

json_members begin_line(const record& r, std::string_view kind) {
    json_members members;
    members.add("schema", r.schema);
    members.add("kind", kind);
    return members;
}

json_value parsed_line(std::string_view line) {
    constexpr std::string_view remedy = "delete the line, or run the tests again";
    if (!line.starts_with('{') || !line.ends_with('}')) {
        throw input_error(
            fmt::format("found {}, expected a whole line such as {{\"schema\":1,\"kind\":\"result\",...}}; {}",
                        line.empty() ? "nothing" : excerpt(line), remedy));
    }
    try {
        return read_json(line);
    } catch (const json_fault& fault) { throw input_error(fmt::format("{}; {}", fault.what(), remedy)); }
}

void check_schema(const json_value& line) {
    const json_value* schema = line.member("schema");
    if (schema == nullptr)
        throw input_error(
            "no \"schema\" in the line, expected 1: these are no results of perfspec; give the file that --perf-output wrote");
    const auto version = read_whole(*schema, "schema", std::numeric_limits<int>::max());
    if (version > json_lines_schema) {
        throw input_error(fmt::format(
            "\"schema\" is {}, and this perfspec reads up to {}: read the file with the perfspec that wrote it, or a newer one",
            version, json_lines_schema));
    }
}

json_line_kind kind_of(const json_value& line) {
    const json_value* kind = line.member("kind");
    if (kind == nullptr)
        throw input_error(
            "no \"kind\" in the line, expected \"started\" or \"result\"; delete the line, or run the tests again");
    if (kind->text == "started") return json_line_kind::started;
    if (kind->text != "result") refuse_field(*kind, "kind", "\"started\" or \"result\"");
    return json_line_kind::result;
}

/// The beginning of every line. It cannot occur within a line's texts, because its quotes would be escaped there.
constexpr std::string_view line_mark = "{\"schema\":";

/// The remains of processes that were killed while they wrote the mark, one after the other. Nothing if the text is
/// something else.
std::optional<std::vector<json_line_part>> cut_marks_of(std::string_view text) {
    std::vector<json_line_part> parts;
    while (!text.empty()) {
        const std::string_view one = text.substr(0, text.find(line_mark.front(), 1));
        if (!line_mark.starts_with(one)) return {};
        parts.push_back({one, true});
        text.remove_prefix(one.size());
    }
    return parts;
}

/// Whether the text of an object ends before its last brace.
bool ends_inside(std::string_view object) {
    std::size_t depth = 0;
    bool in_text = false;
    for (std::size_t i = 0; i < object.size(); ++i) {
        const char c = object[i];
        if (in_text && c == '\\') ++i;
        else if (c == '"') in_text = !in_text;
        else if (!in_text && (c == '{' || c == '[')) ++depth;
        else if (!in_text && (c == '}' || c == ']')) --depth;
        if (depth == 0) return false;
    }
    return true;
}

/// Throws input_error if a member is missing. Without these a result says nothing, and must not look as if nothing had
/// failed.
void require_members(const json_value& line, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names)
        if (line.member(name) == nullptr)
            throw input_error(fmt::format(
                "no \"{}\" in the line, expected a whole result with one; delete the line, or run the tests again",
                name));
}

void refuse_contradiction(const record& r) {
    if (r.failed && r.waiver && r.waiver->effect == waiver_effect::waived)
        throw input_error(
            "\"failed\" is true and the claim is waived, which fails no test; delete the line, or run the tests again");
    if (!r.failed || (r.verdict != verdict::holds && r.verdict != verdict::not_judged)) return;
    throw input_error(fmt::format(
        "\"failed\" is true and \"verdict\" is \"{}\", which fails no test; delete the line, or run the tests again",
        file_word(r.verdict)));
}

}  // namespace detail

std::vector<json_line_part> parts_of_json_line(std::string_view line) {
    const std::string_view before = line.substr(0, line.find(detail::line_mark));
    auto cut = detail::cut_marks_of(before);
    if (!cut) return {{line}};
    std::vector<json_line_part> parts = *std::move(cut);
    line.remove_prefix(before.size());
    while (!line.empty()) {
        const std::string_view part = line.substr(0, line.find(detail::line_mark, 1));
        parts.push_back({part, detail::ends_inside(part)});
        line.remove_prefix(part.size());
    }
    return parts;
}

std::string to_json_line(const record& r) {
    detail::json_members members = detail::begin_line(r, "result");
    detail::visit_fields(r, [&](std::string_view name, const auto& value) {
        if (name != "schema") members.add(name, value);
    });
    detail::add_xla_identity(members, r);
    detail::add_xla_result(members, r);
    return members.object();
}

std::string to_started_line(const record& about) {
    detail::json_members members = detail::begin_line(about, "started");
    detail::visit_fields(about, [&](std::string_view name, const auto& value) {
        if (name != "schema" && std::ranges::find(detail::results, name) == std::end(detail::results))
            members.add(name, value);
    });
    detail::add_xla_identity(members, about);
    return members.object();
}

json_line read_json_line(std::string_view line) {
    const detail::json_value tree = detail::parsed_line(line);
    detail::check_schema(tree);
    json_line read{detail::kind_of(tree), {}};
    detail::read_field(tree, read.about, "");
    if (read.kind == json_line_kind::started) return read;
    detail::require_members(tree, {"time", "key", "verdict", "failed"});
    detail::refuse_contradiction(read.about);
    return read;
}

record from_json_line(std::string_view line) { return read_json_line(line).about; }

jsonl_sink::jsonl_sink(file_system& files, std::string path) : files_(files), path_(std::move(path)) {}

void jsonl_sink::operator()(const record& r) { append(to_json_line(r)); }

void jsonl_sink::started(const record& about) { append(to_started_line(about)); }

void jsonl_sink::append(const std::string& line) {
    try {
        files_.append_line(path_, line);
    } catch (const file_error& e) {
        throw input_error(std::string(e.what()) +
                          "; name a file that can be written, such as --perf-output=results.jsonl");
    }
}

}  // namespace perfspec
