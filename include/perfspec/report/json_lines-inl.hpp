// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/text.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/report/json_lines.hpp>
#include <perfspec/report/record_fields.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace perfspec::inline v0_1::detail {

/// The subject under test: the numerator of a ratio that should be small, the denominator of a speedup, the only
/// subject of another query. Null without samples.
const sample_summary* subject_under_test(const record& r) noexcept {
    if (r.subjects.empty()) return nullptr;
    return r.direction == better::less ? &r.subjects.front() : &r.subjects.back();
}

std::optional<std::string> axis_of(const record& r, std::string_view name) {
    const auto found = std::ranges::find(r.axes, name, [](const auto& axis) { return std::string_view(axis.first); });
    return found == r.axes.end() ? std::nullopt : std::optional{found->second};
}

/// Adds `model` and `experiment` as PyTorch/XLA's benchmarks write them into results.jsonl, from the axes "model",
/// "device", "dynamo", "test" and "batch". Unknown fields are null.
void add_xla_identity(json_members& members, const record& r) {
    json_members model;
    model.add("suite_name", axis_of(r, "suite").value_or(r.suite));
    model.add("model_name", axis_of(r, "model").value_or(r.test));
    members.add_raw("model", model.object());

    const std::string device = axis_of(r, "device").value_or("cpu");
    json_members experiment;
    experiment.add("experiment_name", r.query);
    experiment.add("accelerator", device.substr(0, device.find(':')));
    experiment.add("accelerator_model", r.hardware_key);
    experiment.add_raw("xla", "null");
    experiment.add_raw("xla_flags", "null");
    experiment.add("dynamo", axis_of(r, "dynamo"));
    experiment.add_raw("torch_xla2", "null");
    experiment.add_raw("keep_model_data_on_cuda", "null");
    experiment.add("test", axis_of(r, "test"));
    experiment.add("batch_size", whole_number<long>(axis_of(r, "batch").value_or("")));
    members.add_raw("experiment", experiment.object());
}

/// Writes nine digits, which is enough for copies that other programs read.
std::string rounded_list(const std::vector<double>& values, double factor) {
    std::string text;
    for (const double v : values) {
        text += text.empty() ? "[" : ",";
        text += std::isfinite(v * factor) ? fmt::format("{:.9g}", v * factor) : "null";
    }
    return text.empty() ? "[]" : text + "]";
}

std::string xla_metrics(const record& r, const sample_summary* s) {
    json_members metrics;
    if (r.verdict == verdict::invalid) metrics.add("error", r.reason);
    if (s != nullptr && s->unit == dimension::time) {
        metrics.add_raw("per_iter_time", rounded_list(s->strip, 1e-9));
        metrics.add_raw("total_time", rounded_list(s->strip, 1e-9 * static_cast<double>(s->iterations)));
    } else if (s != nullptr) {
        metrics.add_raw("per_iter_" + std::string(file_word(s->unit)), rounded_list(s->strip, 1.0));
    }
    return metrics.object();
}

/// The word of PyTorch's benchmarks/dynamo for a failure; empty if they have none.
const char* dynamo_status(failure_kind kind) noexcept {
    switch (kind) {
    case failure_kind::body_threw:
    case failure_kind::setup_threw: return "fail_to_run";
    case failure_kind::load_threw: return "model_fail_to_load";
    case failure_kind::out_of_memory: return "OOM";
    case failure_kind::timed_out: return "timeout";
    case failure_kind::worker_failed:
    case failure_kind::unfinished: return "infra_error";
    default: return "";
    }
}

std::string dynamo_status(const record& r) {
    std::string status = r.verified ? dynamo_status(r.verified->code) : "";
    if (status.empty() && r.failure) status = dynamo_status(*r.failure);
    return status;
}

/// Adds the other fields of their lines, and `accuracy`, which is the word for the code in PyTorch's benchmarks/dynamo.
/// Times are in seconds. The lists are the quantiles of the record's strip, not single samples.
void add_xla_result(json_members& members, const record& r) {
    const sample_summary* s = subject_under_test(r);
    members.add("repeat", s == nullptr ? r.evidence.rounds : s->samples);
    members.add("iterations_per_run", s == nullptr ? std::optional<std::uint64_t>{} : std::optional{s->iterations});
    members.add_raw("metrics", xla_metrics(r, s));
    members.add("timestamp", seconds_of_utc(r.time));
    members.add_raw("outputs_file", "null");
    members.add("verification_code", r.verified ? r.verified->code : verification_code::verifier_skipped);
    const std::string status = dynamo_status(r);
    members.add("accuracy", status.empty() ? std::optional<std::string>{} : std::optional{status});
}

}  // namespace perfspec::inline v0_1::detail

namespace perfspec::inline v0_1 {
namespace detail {

/// The fields that a `started` line lacks, because they need the measurement.
constexpr std::string_view fields_of_result[] = {
    "verdict",  "failed",   "waiver",    "on_request", "reason",   "failure",   "advice",     "notes",
    "measured", "compared", "parts",     "operators",  "bound",    "tolerated", "bound_text", "evidence",
    "subjects", "workers",  "disturbed", "baseline",   "verified", "planned",   "commands"};

json_members begin_line(const record& r, std::string_view kind) {
    json_members members;
    members.add("schema", r.schema);
    members.add("kind", kind);
    return members;
}

json_value parsed_line(std::string_view line) {
    if (!line.starts_with('{') || !line.ends_with('}'))
        throw json_fault(1,
                         fmt::format("found {}, expected a whole line such as {{\"schema\":1,\"kind\":\"result\",...}}",
                                     line.empty() ? "nothing" : excerpt(line)));
    return read_json(line);
}

void check_schema(const json_value& line) {
    const json_value* schema = line.member("schema");
    if (schema == nullptr)
        throw input_error(
            "no \"schema\" in the line, expected 1: these are no results of perfspec; give the file that --perf-output wrote");
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
    if (r.failed && (r.verdict == verdict::holds || r.verdict == verdict::not_judged))
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
        if (name != "schema" && std::ranges::find(detail::fields_of_result, name) == std::end(detail::fields_of_result))
            members.add(name, value);
    });
    detail::add_xla_identity(members, about);
    return members.object();
}

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

}  // namespace perfspec::inline v0_1
