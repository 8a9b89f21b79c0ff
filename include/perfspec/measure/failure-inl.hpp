// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/failure.hpp>

#include <algorithm>
#include <cstddef>
#include <new>
#include <vector>

namespace perfspec::inline v0_2 {

const char* to_string(failure_kind kind) noexcept {
    constexpr const char* words[] = {
        // in the order of failure_kind
        "body_threw",     "load_threw", "setup_threw",   "refused",    "clock_went_backwards", "zero_duration",
        "optimized_away", "too_short",  "too_slow",      "no_value",   "worker_failed",        "out_of_memory",
        "timed_out",      "unfinished", "not_countable", "unavailable"};
    return words[static_cast<std::size_t>(kind)];
}

std::optional<failure_kind> failure_kind_named(std::string_view name) noexcept {
    for (std::size_t i = 0; i <= static_cast<std::size_t>(failure_kind::unavailable); ++i)
        if (name == to_string(static_cast<failure_kind>(i))) return static_cast<failure_kind>(i);
    return std::nullopt;
}

namespace detail {

using exception_test = bool (*)(const std::exception&) noexcept;

inline std::vector<exception_test>& tests_for_lack_of_memory() {
    static std::vector<exception_test> all;
    return all;
}

bool is_lack_of_memory(const std::exception& error) noexcept {
    return dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
           std::ranges::any_of(tests_for_lack_of_memory(), [&](exception_test is_known) { return is_known(error); });
}

bool know_lack_of_memory(exception_test is_known) {
    tests_for_lack_of_memory().push_back(is_known);
    return true;
}

}  // namespace detail
}  // namespace perfspec::inline v0_2
