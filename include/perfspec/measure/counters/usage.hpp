// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace perfspec {

/// What this process has used so far. Values that the system does not provide stay zero.
struct usage {
    std::int64_t wall_ns{};       ///< since any fixed instant
    std::int64_t cpu_ns{};        ///< of all threads
    std::int64_t own_cpu_ns{};    ///< of the calling thread
    std::int64_t memory_bytes{};  ///< resident, and not backed by a file
    std::int64_t page_faults{};
    int threads{};

    /// CPU time of all threads but the calling one.
    [[nodiscard]] std::int64_t others_cpu_ns() const noexcept { return cpu_ns - own_cpu_ns; }

    friend bool operator==(const usage&, const usage&) = default;
};

/// Reads what the process has used. One of the seams: tests script it.
class usage_meter {
public:
    usage_meter() = default;
    usage_meter(const usage_meter&) = delete;
    usage_meter& operator=(const usage_meter&) = delete;
    virtual ~usage_meter() = default;

    [[nodiscard]] virtual usage now() = 0;
};

/// The meter of this process. It reads CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID, getrusage
/// and /proc/self/status.
[[nodiscard]] usage_meter& process_usage();

}  // namespace perfspec
