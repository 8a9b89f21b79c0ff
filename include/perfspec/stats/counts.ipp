// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/checks.hpp>
#include <perfspec/stats/counts.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace perfspec {

std::optional<std::uint64_t> settled_count(std::span<const std::uint64_t> runs) {
    if (runs.size() < runs_of_a_count)
        throw input_error("settled_count: found " + std::to_string(runs.size()) + " runs, needs at least 3 to show that a count repeats");
    if (std::ranges::any_of(runs, [&](std::uint64_t n) { return n != runs.front(); })) return {};
    return runs.front();
}

bool count_satisfies(std::uint64_t count, count_comparison claimed, double bound) {
    detail::require_finite("count_satisfies", bound);
    const auto n = static_cast<double>(count);
    switch (claimed) {
    case count_comparison::less: return n < bound;
    case count_comparison::less_equal: return n <= bound;
    case count_comparison::equal: return n == bound;
    case count_comparison::greater_equal: return n >= bound;
    case count_comparison::greater: break;
    }
    return n > bound;
}

double log_count(std::uint64_t count) { return std::log(count == 0 ? 0.5 : static_cast<double>(count)); }

}  // namespace perfspec
