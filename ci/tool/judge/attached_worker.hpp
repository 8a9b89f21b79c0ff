// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// A worker that runs already: the process on the other side of two descriptors.

#include <perfspec/process/launcher.hpp>

#include <memory>

namespace perfspec::tool {

/// The descriptors of a worker: answers are read from the first, requests written to the second.
struct worker_descriptors {
    int answers{-1};
    int requests{-1};
};

/// Attaches to that worker again for each start, with a new greeting. It never starts a process.
class attaching_launcher final : public process_launcher {
public:
    explicit attaching_launcher(worker_descriptors to) : to_(to) {}
    /// Throws input_error: this worker answers many requests, not one.
    [[nodiscard]] child_end run(const child_command& command, const wait_callback& tell) override;
    [[nodiscard]] std::unique_ptr<running_process> start(const child_command& command) override;

private:
    worker_descriptors to_;
};

}  // namespace perfspec::tool
