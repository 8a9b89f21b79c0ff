// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/failure.hpp>

#include <algorithm>
#include <array>

namespace perfspec {

const char* to_string(failure_kind kind) noexcept {
    switch (kind) {
    case failure_kind::body_threw: return "body_threw";
    case failure_kind::load_threw: return "load_threw";
    case failure_kind::setup_threw: return "setup_threw";
    case failure_kind::refused: return "refused";
    case failure_kind::clock_went_backwards: return "clock_went_backwards";
    case failure_kind::zero_duration: return "zero_duration";
    case failure_kind::optimised_away: return "optimised_away";
    case failure_kind::too_short: return "too_short";
    case failure_kind::too_slow: return "too_slow";
    case failure_kind::no_value: return "no_value";
    case failure_kind::worker_failed: return "worker_failed";
    case failure_kind::out_of_memory: return "out_of_memory";
    case failure_kind::timed_out: return "timed_out";
    case failure_kind::unfinished: return "unfinished";
    case failure_kind::not_countable: return "not_countable";
    case failure_kind::unavailable: break;
    }
    return "unavailable";
}

bool detail::speaks_of_memory(std::string_view what) {
    std::string text(what);
    for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    constexpr std::array<std::string_view, 5> words{"bad_alloc", "out of memory", "cannot allocate memory",
                                                    "can't allocate memory", "not enough memory"};
    return std::ranges::any_of(words, [&](std::string_view each) { return text.find(each) != text.npos; });
}

}  // namespace perfspec
