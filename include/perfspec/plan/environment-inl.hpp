// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/environment.hpp>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

namespace perfspec {

namespace detail {

char** environment_block() noexcept { return ::environ; }

inline bool is_program(const std::string& path) {
    struct stat facts {};
    return ::stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace detail

std::optional<std::string> process_environment::get(const std::string& name) const {
    const char* const value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::vector<std::string> process_environment::names() const {
    std::vector<std::string> result;
    for (char** entry = detail::environment_block(); entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        if (const auto equals = text.find('='); equals != text.npos && equals != 0)
            result.emplace_back(text.substr(0, equals));
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

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
