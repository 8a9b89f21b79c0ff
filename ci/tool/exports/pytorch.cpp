// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "export.hpp"
#include "values.hpp"

#include <perfspec/report/json_write.hpp>

#include <algorithm>
#include <map>

// PyTorch's own formats.

namespace perfspec::tool {
namespace {

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
