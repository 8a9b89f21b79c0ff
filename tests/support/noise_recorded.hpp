// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace perfspec::testing {

/// Where the recorded noise lies: PERFSPEC_TRACES, else `shared/traces` beside the project.
[[nodiscard]] inline std::filesystem::path trace_folder() {
    if (const char* named = std::getenv("PERFSPEC_TRACES")) return named;
    return std::filesystem::path(PERFSPEC_TEST_SOURCE_DIR) / "../../../shared/traces";
}

/// Logarithms of the consecutive samples of one process, without the first 5 %: a heading, then one duration a line.
[[nodiscard]] inline std::vector<double> read_log_samples(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::string heading;
    if (!std::getline(in, heading)) throw std::runtime_error("cannot read the trace " + file.string());
    std::vector<double> logs;
    for (double nanoseconds; in >> nanoseconds;) logs.push_back(std::log(nanoseconds));
    if (!in.eof()) throw std::runtime_error("not a number after line " + std::to_string(logs.size() + 1) + " of " + file.string());
    logs.erase(logs.begin(), logs.begin() + static_cast<std::ptrdiff_t>(logs.size() / 20));
    return logs;
}

}  // namespace perfspec::testing
