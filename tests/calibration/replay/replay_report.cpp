// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include "replay_report.hpp"

#include <perfspec/stats/summary.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <vector>

namespace perfspec::testing {
namespace {

using json = nlohmann::ordered_json;

json fractions(std::span<const run_result> runs, decision run_result::*stage) {
    const auto of = [&](decision d) {
        return static_cast<double>(
                   std::count_if(runs.begin(), runs.end(), [&](const run_result& r) { return r.*stage == d; })) /
               static_cast<double>(runs.size());
    };
    return {{"violated", of(decision::violated)}, {"holds", of(decision::holds)}, {"undecided", of(decision::none)}};
}

/// Of the runs with that verdict; of all without one.
template <class Cost>
json quantiles(std::span<const run_result> runs, Cost run_result::*cost, std::optional<decision> verdict) {
    std::vector<double> values;
    for (const run_result& r : runs)
        if (!verdict || r.confirmed == *verdict) values.push_back(static_cast<double>(r.*cost));
    if (values.empty()) return nullptr;
    std::sort(values.begin(), values.end());
    json q;
    for (const auto& [name, p] : {std::pair{"p10", 0.1}, {"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}})
        q[name] = quantile_of_sorted(values, p);
    q["max"] = values.back();
    return q;
}

template <class Cost> json costs(std::span<const run_result> runs, Cost run_result::*cost) {
    return {{"all", quantiles(runs, cost, std::nullopt)},
            {"holds", quantiles(runs, cost, decision::holds)},
            {"violated", quantiles(runs, cost, decision::violated)}};
}

}  // namespace

std::string report_of(std::span<const run_result> runs, const std::string& units) {
    const json report{{"replays", runs.size()},
                      {"first_stage", fractions(runs, &run_result::first_stage)},
                      {"confirmed", fractions(runs, &run_result::confirmed)},
                      {units, costs(runs, &run_result::units)},
                      {"milliseconds", costs(runs, &run_result::milliseconds)}};
    return report.dump(2);
}

}  // namespace perfspec::testing
