// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/stored_launch.hpp>

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace perfspec {

inline stored_launch launch_of(double value) {
    stored_launch launch;
    launch.value = launch.q1 = launch.q3 = launch.p90 = launch.p99 = value;
    launch.samples = 300;
    launch.when = "2026-11-18T09:12:44Z";
    launch.commit = "3f2c1ab";
    launch.recording_session = "2026-11-18T09:12:40Z";
    return launch;
}

inline std::vector<stored_launch> launches_of(std::span<const double> values) {
    std::vector<stored_launch> launches;
    for (const double value : values) launches.push_back(launch_of(value));
    return launches;
}

/// An entry in ns. Ten launches of one value have no spread, so that nothing is rounded.
inline baseline_entry entry_of(std::string key, const std::vector<double>& values = std::vector<double>(10, 1000)) {
    baseline_entry entry;
    entry.key = std::move(key);
    entry.unit = "ns";
    entry.recorded_on.os = "Debian GNU/Linux 12 (bookworm)";
    entry.recorded_on.kernel = "6.1.0";
    entry.launches = launches_of(values);
    return entry;
}

}  // namespace perfspec
