// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/machine/process_kin.hpp>

#include <unistd.h>

#include <fstream>
#include <sstream>

namespace perfspec::detail {

/// Whether a process is the other one, or descends from it.
[[nodiscard]] inline bool descends_from(unsigned pid, unsigned ancestor,
                                        std::optional<unsigned> (*parent_of)(unsigned pid)) {
    constexpr int longest_line =
        1000;  // a number may be given to another process meanwhile, so that a line need not end
    std::optional<unsigned> at = pid;
    for (int i = 0; i < longest_line && at && *at != 0; ++i, at = parent_of(*at))
        if (*at == ancestor) return true;
    return false;
}

kin kin_of_process(unsigned pid, unsigned self, std::optional<unsigned> (*parent_of)(unsigned pid)) {
    if (!parent_of(pid)) return kin::unseen;
    return descends_from(pid, self, parent_of) || descends_from(self, pid, parent_of) ? kin::own : kin::stranger;
}

std::optional<unsigned> parent_of_process(unsigned pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    if (!std::getline(file, line)) return {};
    const std::size_t name_end = line.rfind(')');  // a name may hold blanks and brackets
    if (name_end == line.npos) return {};
    std::istringstream rest(line.substr(name_end + 1));
    char state{};
    unsigned parent{};
    if (!(rest >> state >> parent)) return {};
    return parent;
}

kin kin_of_this_process(unsigned pid) {
    return kin_of_process(pid, static_cast<unsigned>(getpid()), parent_of_process);
}

}  // namespace perfspec::detail
