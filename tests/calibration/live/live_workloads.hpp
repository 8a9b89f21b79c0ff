// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace perfspec::testing {

/// Work that can be made slower by whole units: 105 units are 5 % more of the same than 100. One call site runs all
/// amounts, so that a workload against itself is the exact null and not a comparison of two places in the program.
struct live_workload {
    static constexpr std::size_t usual_units = 100;

    std::string name;  ///< "arith 1 ms": the work, and about the time of the usual units
    bool in_cache;     ///< single-threaded, on data that fits the caches
    std::function<std::uint64_t(std::size_t units)> work;  ///< its result depends on all of the work
};

/// The workloads of the calibration: arithmetic, dot product, sort and map at 10 to 30 us, arithmetic, sort and map at
/// a millisecond, a sweep of 64 MiB, and two threads of a millisecond each.
[[nodiscard]] std::vector<live_workload> live_workloads();

}  // namespace perfspec::testing
