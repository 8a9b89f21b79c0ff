// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace perfspec {

/// own: this process, one that it descends from, or one that descends from it. stranger: any other. unseen: this system
/// does not know the number; it may be that of a process outside a container.
enum class kin : unsigned char { own, stranger, unseen };

namespace detail {

/// How a process belongs to another one.
///
/// parent_of  the process that started a process, 0 for the first one; nothing for one that the system does not know
[[nodiscard]] kin kin_of_process(unsigned pid, unsigned self, std::optional<unsigned> (*parent_of)(unsigned pid));

/// The parent that the kernel tells in /proc/<pid>/stat (proc(5)).
[[nodiscard]] std::optional<unsigned> parent_of_process(unsigned pid);

/// How a process belongs to this one.
[[nodiscard]] kin kin_of_this_process(unsigned pid);

}  // namespace detail

/// Starts threads in this process that compute and walk through a MiB of memory each, until the result is destroyed. A
/// neighbour does the same to a shared processor, its caches and its memory.
///
/// threads  how many; 0 is no load. Throws std::system_error where the system gives no more threads.
[[nodiscard]] std::shared_ptr<void> keep_processors_busy(std::size_t threads);

}  // namespace perfspec
