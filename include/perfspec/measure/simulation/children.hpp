// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace perfspec {

/// The processes that this one has started: a mark of those that have ended, and the number of those that live.
struct process_children {
    std::uint64_t page_faults_of_ended{};  ///< every process has some
    std::uint64_t living{};                ///< 0 where the system does not say (other than Linux)

    friend bool operator==(const process_children&, const process_children&) = default;
};

/// Reads getrusage(2) and /proc/self/task/*/children.
[[nodiscard]] process_children children_of_process();

}  // namespace perfspec
