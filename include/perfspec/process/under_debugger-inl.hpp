// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/under_debugger.hpp>

#include <fstream>
#include <iterator>
#include <string>

namespace perfspec {

bool detail::names_tracer(std::string_view status) noexcept {
    constexpr std::string_view name = "TracerPid:";
    std::size_t at = status.find(name);
    // The process's own name is above, and may hold any text but a line end.
    while (at != status.npos && at != 0 && status[at - 1] != '\n') at = status.find(name, at + 1);
    if (at == status.npos) return false;
    status.remove_prefix(at + name.size());
    const auto first = status.find_first_not_of(" \t");
    return first != status.npos && status[first] >= '1' && status[first] <= '9';
}

bool under_debugger() {
    std::ifstream file("/proc/self/status");
    return detail::names_tracer(std::string(std::istreambuf_iterator<char>(file), {}));
}

}  // namespace perfspec
