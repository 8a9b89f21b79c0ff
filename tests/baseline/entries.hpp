// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/stored_process.hpp>

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace perfspec {

inline stored_process process_of(double value) {
    stored_process process;
    process.value = process.q1 = process.q3 = process.p90 = process.p99 = value;
    process.samples = 300;
    process.time = "2026-11-18T09:12:44Z";
    process.commit = "3f2c1ab";
    process.recording_session = "2026-11-18T09:12:40Z";
    return process;
}

inline std::vector<stored_process> processes_of(std::span<const double> values) {
    std::vector<stored_process> processes;
    for (const double value : values) processes.push_back(process_of(value));
    return processes;
}

/// An entry in ns. Ten processes of one value have no spread, so that nothing is rounded.
inline baseline_entry entry_of(std::string key, const std::vector<double>& values = std::vector<double>(10, 1000)) {
    baseline_entry entry;
    entry.key = std::move(key);
    entry.unit = "ns";
    entry.recorded_on.os = "Debian GNU/Linux 12 (bookworm)";
    entry.recorded_on.kernel = "6.1.0";
    entry.processes = processes_of(values);
    return entry;
}

}  // namespace perfspec
