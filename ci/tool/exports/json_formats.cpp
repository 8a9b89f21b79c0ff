// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// PyTorch's own formats.

#include "exports.hpp"

#include <perfspec/report/console/console_text.hpp>
#include <perfspec/report/json_write.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>

namespace perfspec::tool {
namespace {

using detail::json_members;

/// One run of a benchmark: a repetition of many.
struct repetition {
    std::string name;
    double nanoseconds{};
    std::size_t index{};
    std::size_t of{1};
    std::uint64_t iterations{1};
};

json_members run_of(const record& r, const repetition& one, std::size_t family) {
    json_members run;
    run.add("name", one.name);
    run.add("family_index", family);
    run.add("per_family_instance_index", 0);
    run.add("run_name", one.name);
    run.add("run_type", "iteration");
    run.add("repetitions", one.of);
    run.add("repetition_index", one.index);
    run.add("threads", 1);
    run.add("iterations", one.iterations);
    run.add("real_time", one.nanoseconds);
    run.add("cpu_time", one.nanoseconds);
    run.add("time_unit", "ns");
    if (detail::has_claim(r)) run.add("label", fmt::format("{}: {}", to_string(r.verdict), r.claim));
    return run;
}

bool is_time(const record& r) { return r.unit == dimension::time && r.own_unit.empty(); }

/// The runs of a record, of the benchmark with this index and the following.
std::vector<std::string> runs_of(const record& r, std::size_t family) {
    std::vector<std::string> runs;
    if (!r.estimate) return runs;
    if (is_time(r)) {
        const std::vector<double> values = repetitions_of(r);
        const std::uint64_t iterations = r.subjects.empty() ? 1 : r.subjects.front().iterations;
        for (std::size_t i = 0; i < values.size(); ++i)
            runs.push_back(run_of(r, {r.key, values[i], i, values.size(), iterations}, family).object());
        return runs;
    }
    for (const sample_summary& subject : r.subjects) {
        if (subject.unit != dimension::time) continue;
        json_members run = run_of(r, {r.key + " / " + subject.subject, subject.median, 0, 1, subject.iterations}, family++);
        run.add(metric_of(r), r.estimate->median);
        runs.push_back(run.object());
    }
    return runs;
}

std::string context_of(std::span<const record> records) {
    json_members context;
    const record first = records.empty() ? record{} : records.front();
    context.add("date", first.time);
    context.add("host_name", first.host);
    context.add("executable", first.suite);
    context.add("num_cpus", first.disturbed.cores);
    context.add("mhz_per_cpu", static_cast<int>(first.disturbed.frequency_mhz));
    context.add("cpu_scaling_enabled", false);
    context.add_raw("caches", "[]");
    context.add("load_avg", std::vector<double>{first.disturbed.load});
    context.add("library_build_type", first.build == "optimised" ? "release" : "debug");
    context.add("commit", first.commit);
    return context.object();
}

using detail::json_members;

json_members named(std::string_view name, const std::string& value) {
    json_members object;
    object.add(name, value);
    return object;
}

std::string benchmark_of(const record& r) {
    json_members extra;
    for (const auto& [axis, value] : r.axes) extra.add(axis, value);
    extra.add("key", r.key);
    extra.add("claim", r.claim);
    extra.add("verdict", r.verdict);
    json_members benchmark;
    benchmark.add("name", r.suite);
    benchmark.add("mode", axis_or(r, "test", "eval"));
    benchmark.add("dtype", axis_or(r, "dtype", ""));
    benchmark.add_raw("extra_info", extra.object());
    return benchmark.object();
}

std::string model_of(const record& r) {
    json_members model;
    model.add("name", axis_or(r, "model", r.test));
    model.add("type", "OSS model");
    model.add("backend", axis_or(r, "dynamo", ""));
    model.add("origins", std::vector<std::string>{});
    return model.object();
}

std::string metric_object(const record& r) {
    json_members metric;
    metric.add("name", metric_of(r));
    metric.add("benchmark_values", repetitions_of(r));
    metric.add("target_value", r.bound);
    metric.add_raw("extra_info", named("unit", unit_name(r)).object());
    return metric.object();
}

std::string pytorch_object(const record& r) {
    json_members object;
    object.add("schema_version", "v3");
    object.add("timestamp", r.time);
    object.add("name", "perfspec");
    object.add("head_branch", r.branch);
    object.add("head_sha", r.commit);
    object.add_raw("benchmark", benchmark_of(r));
    object.add_raw("model", model_of(r));
    object.add_raw("metric", metric_object(r));
    json_members runner = named("name", r.host);
    runner.add("type", r.hardware_key);
    object.add_raw("runners", "[" + runner.object() + "]");
    return object.object();
}

}  // namespace

exported to_google_benchmark(std::span<const record> records) {
    exported done{.why = "a value that is no time, and whose subjects have none"};
    std::string runs;
    std::size_t family = 0;
    for (const record& r : records) {
        const std::vector<std::string> found = runs_of(r, family);
        family += found.size();
        done.left_out += found.empty() ? 1U : 0U;
        for (const std::string& run : found) runs += (runs.empty() ? "\n  " : ",\n  ") + run;
    }
    done.text = "{\"context\": " + context_of(records) + ",\n \"benchmarks\": [" + runs + "\n]}\n";
    return done;
}

exported to_pytorch(std::span<const record> records) {
    exported done{.why = "no measured value"};
    for (const record& r : records) {
        if (r.estimate) done.text += (done.text.empty() ? "[\n" : ",\n") + pytorch_object(r);
        else ++done.left_out;
    }
    done.text += done.text.empty() ? "[]\n" : "\n]\n";
    return done;
}

exported to_torchbench(std::span<const record> records) {
    exported done{.why = "no measured value, or a later result of the same key"};
    const bool one_machine = std::ranges::all_of(records, [&](const record& r) { return r.hardware_key == records.front().hardware_key; });
    std::map<std::string, double> metrics;
    for (const record& r : records) {
        const std::string name = r.suite + ":" + r.key + (one_machine ? "" : " on " + r.hardware_key);
        if (!r.estimate || !metrics.insert_or_assign(name, r.estimate->median).second) ++done.left_out;
    }
    json_members values;
    for (const auto& [name, value] : metrics) values.add(name, value);
    const record first = records.empty() ? record{} : records.front();
    json_members environment;
    environment.add("commit", first.commit);
    environment.add("branch", first.branch);
    environment.add("host", first.host);
    environment.add("hardware", first.hardware_key);
    environment.add("time", first.time);
    json_members all;
    all.add("name", "perfspec");
    all.add_raw("environ", environment.object());
    all.add_raw("metrics", values.object());
    done.text = all.object() + "\n";
    return done;
}

}  // namespace perfspec::tool
