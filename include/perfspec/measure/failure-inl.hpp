// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/failure.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace perfspec {

const char* to_string(failure_kind kind) noexcept {
    constexpr const char* words[] = {
        // in the order of failure_kind
        "body_threw",     "load_threw", "setup_threw",   "refused",    "clock_went_backwards", "zero_duration",
        "optimised_away", "too_short",  "too_slow",      "no_value",   "worker_failed",        "out_of_memory",
        "timed_out",      "unfinished", "not_countable", "unavailable"};
    return words[static_cast<std::size_t>(kind)];
}

bool detail::mentions_memory(std::string_view what) {
    std::string text(what);
    for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    constexpr std::array<std::string_view, 5> words{"bad_alloc", "out of memory", "cannot allocate memory",
                                                    "can't allocate memory", "not enough memory"};
    return std::ranges::any_of(words, [&](std::string_view each) { return text.find(each) != text.npos; });
}

}  // namespace perfspec
