// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "scripted_run.hpp"

#include <perfspec/baseline/baseline_store.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::testing {

/// A program that has baselines in /project/baselines, and a body that is never run here: launches are scripted.
struct stored_program : scripted_run {
    using scripted_run::scripted_run;

    subject sort = takes("sort", std::chrono::milliseconds(1));

    [[nodiscard]] std::string path(const std::string& folder = "/project/baselines", const std::string& variant = {}) {
        return path_of({folder, context().hardware_key(), variant, "sort_test"});
    }
    [[nodiscard]] static std::string key() { return "sorting / latency(sort)"; }

    /// What the stored launches ran on, where it is not this machine.
    std::optional<fingerprint> recorded_on;

    /// Puts launches into a file of the scripted disk.
    void store(const std::string& key, const std::vector<double>& values, const std::string& unit = "ns",
               const std::string& folder = "/project/baselines") {
        baseline_entry entry{.key = key,
                             .unit = unit,
                             .polarity =
                                 unit == "ns" || unit == "count" || unit == "bytes" || unit == "power" ? better::less : better::more,
                             .recorded_on = recorded_on.value_or(context().machine(library_use::always)),
                             .launches = {}};
        for (const double v : values) {
            stored_launch l{.value = v,
                            .q1 = v,
                            .q3 = v,
                            .p90 = v,
                            .p99 = v,
                            .when = "2026-11-01T08:00:00Z",
                            .commit = "c0ffee",
                            .recording_session = "one"};
            entry.launches.push_back(std::move(l));
        }
        files.put(path(folder),
                  render_baseline_file({.hardware = context().hardware_key(), .variant = {}, .suite = "sort_test", .entries = {entry}}));
    }
    [[nodiscard]] baseline_file stored(const std::string& folder = "/project/baselines") {
        return parse_baseline_file(files.text(path(folder)), "x");
    }
};

/// So many values, 0.1 % apart from each other.
[[nodiscard]] inline std::vector<double> about(double value, std::size_t count) {
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(value * (1.0 + 0.001 * static_cast<double>(i % 5)));
    return values;
}

}  // namespace perfspec::testing
