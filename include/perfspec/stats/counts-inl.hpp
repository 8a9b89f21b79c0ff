// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/counts.hpp>

#include <algorithm>
#include <string>

namespace perfspec {

std::optional<std::uint64_t> settled_count(std::span<const std::uint64_t> runs) {
    if (runs.size() < runs_of_a_count)
        throw input_error("settled_count: found " + std::to_string(runs.size()) +
                          " runs, needs at least 3 to show that a count repeats");
    if (std::ranges::any_of(runs, [&](std::uint64_t n) { return n != runs.front(); })) return {};
    return runs.front();
}

}  // namespace perfspec
