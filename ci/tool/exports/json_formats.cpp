// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "exports.hpp"

#include <perfspec/report/json_write.hpp>
#include <perfspec/report/xla_fields.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace perfspec::tool {
namespace {

using json = nlohmann::ordered_json;

std::string text_of(const json& all) { return all.dump(1, ' ', false, json::error_handler_t::replace) + '\n'; }

/// The name of the metric: "latency" of "latency(sort)", or the whole query where it has no parentheses.
std::string metric_of(const record& r) { return r.query.substr(0, r.query.find('(')); }

/// The values of the launches that were judged; else the median of this process alone.
std::vector<double> repetitions_of(const record& r) {
    if (r.baseline && r.baseline->now.size() > 1) return r.baseline->now;
    return {r.estimate->median};
}

std::string axis_or(const record& r, std::string_view axis, const std::string& other) {
    return detail::axis_of(r, axis).value_or(other);
}

json pytorch_object(const record& r) {
    json about{{"key", r.key}, {"claim", r.claim}, {"verdict", detail::file_word(r.verdict)}};
    for (const auto& [axis, value] : r.axes) about[axis] = value;
    return {{"schema_version", "v3"},
            {"timestamp", r.time},
            {"name", "perfspec"},
            {"head_branch", r.branch},
            {"head_sha", r.commit},
            {"benchmark",
             {{"name", r.suite},
              {"mode", axis_or(r, "test", "eval")},
              {"dtype", axis_or(r, "dtype", "")},
              {"extra_info", about}}},
            {"model",
             {{"name", axis_or(r, "model", r.test)},
              {"type", "OSS model"},
              {"backend", axis_or(r, "dynamo", "")},
              {"origins", json::array()}}},
            {"metric",
             {{"name", metric_of(r)},
              {"benchmark_values", repetitions_of(r)},
              {"target_value", r.bound ? json(*r.bound) : json()},
              {"extra_info", {{"unit", unit_name(r)}}}}},
            {"runners", json::array({{{"name", r.host}, {"type", r.hardware_key}}})}};
}

}  // namespace

exported to_pytorch(std::span<const record> records) {
    exported done{.why = "no measured value"};
    json all = json::array();
    for (const record& r : records) {
        if (r.estimate) all.push_back(pytorch_object(r));
        else ++done.left_out;
    }
    done.text = text_of(all);
    return done;
}

exported to_torchbench(std::span<const record> records) {
    exported done{.why = "no measured value, or a later result of the same key"};
    const record first = records.empty() ? record{} : records.front();
    const bool one_machine =
        std::ranges::all_of(records, [&](const record& r) { return r.hardware_key == first.hardware_key; });
    std::map<std::string, double> metrics;
    for (const record& r : records) {
        const std::string name = r.suite + ":" + r.key + (one_machine ? "" : " on " + r.hardware_key);
        if (!r.estimate || !metrics.insert_or_assign(name, r.estimate->median).second) ++done.left_out;
    }
    done.text = text_of({{"name", "perfspec"},
                         {"environ",
                          {{"commit", first.commit},
                           {"branch", first.branch},
                           {"host", first.host},
                           {"hardware", first.hardware_key},
                           {"time", first.time}}},
                         {"metrics", metrics}});
    return done;
}

}  // namespace perfspec::tool
