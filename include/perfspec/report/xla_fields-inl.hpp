// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/xla_fields.hpp>

#include <perfspec/process/printable.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

namespace perfspec::detail {

const sample_summary* subject_under_test(const record& r) noexcept {
    if (r.subjects.empty()) return nullptr;
    return r.direction == better::less ? &r.subjects.front() : &r.subjects.back();
}

std::optional<std::string> axis_of(const record& r, std::string_view name) {
    const auto found = std::ranges::find(r.axes, name, [](const auto& axis) { return std::string_view(axis.first); });
    return found == r.axes.end() ? std::nullopt : std::optional{found->second};
}

/// Seconds since 1970 of "2026-11-18T10:12:13Z"; nothing for another form.
std::optional<long> unix_seconds(std::string_view t) {
    if (t.size() < 20 || t[4] != '-' || t[7] != '-' || t[10] != 'T' || t[13] != ':' || t[16] != ':' || t.back() != 'Z')
        return std::nullopt;
    const auto part = [&](std::size_t from, std::size_t length) {
        return whole_number<long>(t.substr(from, length)).value_or(-1);
    };
    const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(part(0, 4))),
                                           std::chrono::month(static_cast<unsigned>(part(5, 2))),
                                           std::chrono::day(static_cast<unsigned>(part(8, 2)))};
    if (!date.ok()) return std::nullopt;
    const long days = std::chrono::sys_days(date).time_since_epoch().count();
    return ((days * 24 + part(11, 2)) * 60 + part(14, 2)) * 60 + part(17, 2);
}

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

/// The word of PyTorch's benchmarks/dynamo for what kept a measurement from ending; empty where they have none.
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

/// What was found of the outputs; where they were not compared, what kept the measurement from ending.
std::string dynamo_status(const record& r) {
    std::string status = r.verified ? dynamo_status(r.verified->code) : "";
    if (status.empty() && r.failure) status = dynamo_status(*r.failure);
    return status;
}

void add_xla_result(json_members& members, const record& r) {
    const sample_summary* s = subject_under_test(r);
    members.add("repeat", s == nullptr ? r.evidence.rounds : s->samples);
    members.add("iterations_per_run", s == nullptr ? std::optional<std::uint64_t>{} : std::optional{s->iterations});
    members.add_raw("metrics", xla_metrics(r, s));
    members.add("timestamp", unix_seconds(r.time));
    members.add_raw("outputs_file", "null");
    members.add("verification_code", r.verified ? r.verified->code : verification_code::verifier_skipped);
    const std::string status = dynamo_status(r);
    members.add("accuracy", status.empty() ? std::optional<std::string>{} : std::optional{status});
}

}  // namespace perfspec::detail
