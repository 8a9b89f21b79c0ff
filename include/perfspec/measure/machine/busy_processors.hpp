// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <memory>

namespace perfspec {

/// A load on the machine, for as long as it lives. One of the seams: tests script it.
class machine_load {
public:
    machine_load() = default;
    machine_load(const machine_load&) = delete;
    machine_load& operator=(const machine_load&) = delete;
    virtual ~machine_load() = default;
};

/// Starts threads in this process that compute and walk through a MiB of memory each, until the result is destroyed. A
/// neighbour does the same to a shared processor, its caches and its memory.
///
/// threads  how many; 0 is no load. Throws std::system_error where the system gives no more threads.
[[nodiscard]] std::unique_ptr<machine_load> keep_processors_busy(std::size_t threads);

}  // namespace perfspec
