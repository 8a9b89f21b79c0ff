// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/printable.hpp>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

namespace perfspec::detail {

/// The second number of a file schedstat of Linux, "run time, time of waiting for a processor, slices": nanoseconds.
/// Zero for another text, as where the system does not count it.
[[nodiscard]] inline std::chrono::nanoseconds run_delay_in(std::string_view schedstat) {
    const auto first = schedstat.find(' ');
    if (first == std::string_view::npos) return {};
    const std::string_view rest = schedstat.substr(first + 1);
    const auto number = whole_number<std::int64_t>(rest.substr(0, rest.find(' ')));
    return std::chrono::nanoseconds(number.value_or(0));
}

/// How long a thread has waited for a processor so far, while it could have run: "thread-self", or "123" for the first
/// thread of a process.
[[nodiscard]] inline std::chrono::nanoseconds run_delay_of(const std::string& thread) {
    std::ifstream file("/proc/" + thread + "/schedstat");
    std::string line;
    std::getline(file, line);
    return run_delay_in(line);
}

}  // namespace perfspec::detail
