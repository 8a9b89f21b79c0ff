// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "scripted_run.hpp"

#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/language/subjects/subject_state.hpp>

namespace perfspec::testing {

/// The ends of fresh processes, in order; the last one repeats.
[[nodiscard]] inline std::function<child_end(const child_command&)> and_so_on(std::vector<child_end> children) {
    return [children = std::move(children), next = std::size_t{0}](const child_command&) mutable {
        if (children.empty()) throw std::logic_error("stored_program: a child, and no scripted end");
        return children[std::min(next++, children.size() - 1)];
    };
}

/// A program with baselines in /project/baselines, and a body that never runs: processes are scripted, ten for a
/// recording.
struct stored_program : scripted_run {
    stored_program(std::vector<child_end> children = {}) : scripted_run(and_so_on(std::move(children))) {
        record_ten();
    }
    explicit stored_program(std::function<child_end(const child_command&)> children)
        : scripted_run(std::move(children)) {
        record_ten();
    }

    void record_ten() { variables["PERFSPEC_BASELINE_PROCESSES"] = "10"; }

    subject sort = takes("sort", std::chrono::milliseconds(1));

    /// The hardware key of a claim on sort.
    [[nodiscard]] std::string hardware() {
        const std::string& device = sort.state().device;
        return device.empty() ? context().hardware_key() : context().device(device).hardware_key;
    }
    [[nodiscard]] std::string path(const std::string& folder = "/project/baselines", const std::string& variant = {}) {
        return path_of({folder, hardware(), variant, "sort_test"});
    }
    [[nodiscard]] static std::string key() { return "sorting / latency(sort)"; }

    /// The machine of the stored processes, if it is not this one.
    std::optional<fingerprint> recorded_on;

    /// The source of their claim.
    std::string source;

    /// The effect of load on the stored processes.

    /// Puts processes into a file of the scripted disk.
    void store(const std::string& key, const std::vector<double>& values, const std::string& unit = "ns",
               const std::string& folder = "/project/baselines") {
        store_sessions(key, {values}, unit, folder);
    }

    /// The same of sessions an hour apart.
    void store_sessions(const std::string& key, const std::vector<std::vector<double>>& sessions,
                        const std::string& unit = "ns", const std::string& folder = "/project/baselines") {
        const bool is_less = unit == "ns" || unit == "count" || unit == "bytes" || unit == "power";
        baseline_entry entry{.key = key,
                             .unit = unit,
                             .direction = is_less ? better::less : better::more,
                             .source = source,
                             .recorded_on = recorded_on.value_or(context().machine(library_use::always)),
                             .processes = {}};
        for (std::size_t i = 0; i < sessions.size(); ++i)
            for (const double value : sessions[i]) entry.processes.push_back(process_in_session(value, i));
        files.put(path(folder), render_baseline_file(
                                    {.hardware = hardware(), .variant = {}, .suite = "sort_test", .entries = {entry}}));
    }
    [[nodiscard]] stored_process process_in_session(double v, std::size_t nth) const {
        return {.value = v,
                .q1 = v,
                .q3 = v,
                .p90 = v,
                .p99 = v,
                .time = "2026-11-01T" + std::string(nth < 2 ? "0" : "") + std::to_string(8 + nth) + ":00:00Z",
                .commit = "c0ffee",
                .recording_session = "session " + std::to_string(nth)};
    }
    [[nodiscard]] baseline_file stored(const std::string& folder = "/project/baselines") {
        return parse_baseline_file(files.text(path(folder)), "x");
    }
};

/// `count` values of about `value`, 0.1 % apart.
[[nodiscard]] inline std::vector<double> about(double value, std::size_t count) {
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(value * (1.0 + 0.001 * static_cast<double>(i % 5)));
    return values;
}

}  // namespace perfspec::testing
