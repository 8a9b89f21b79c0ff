// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/environment.hpp>

#include <algorithm>

#include <sys/stat.h>
#include <unistd.h>

namespace perfspec {

namespace detail {

inline bool is_program(const std::string& path) {
    struct stat facts {};
    return ::stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace detail

std::string program_path(const environment& variables, const std::string& name) {
    std::string folders = variables.get("PATH").value_or("");
    while (!folders.empty()) {
        const std::size_t end = std::min(folders.find(':'), folders.size());
        const std::string folder = folders.substr(0, end);
        folders.erase(0, end + 1);
        if (folder.starts_with('/') && detail::is_program(folder + "/" + name)) return folder + "/" + name;
    }
    return {};
}

}  // namespace perfspec
