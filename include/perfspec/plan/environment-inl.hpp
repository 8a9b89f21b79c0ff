// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/environment.hpp>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#if defined(__APPLE__)
#    include <crt_externs.h>
#else
#    include <unistd.h>
#endif

namespace perfspec {

namespace detail {

char** environment_block() noexcept {
#if defined(__APPLE__)
    return *_NSGetEnviron();
#else
    return ::environ;
#endif
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

}  // namespace perfspec
