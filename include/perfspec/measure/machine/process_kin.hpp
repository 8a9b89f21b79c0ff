// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

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
}  // namespace perfspec
