// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdlib>
#include <utility>

namespace perfspec::detail {

/// Keeps Kineto from writing two lines to the console for each trace: it does so below a level that it reads from the environment when it first
/// starts, so that it is quiet for the rest of the process. What the environment says goes first.
///
/// Only the first call changes the environment, and puts it back: other threads may read it at any time, which is a race with every change.
class quiet_start {
public:
    template <class Start> void operator()(const Start& start) {
        if (std::exchange(done_, true) || std::getenv(name) != nullptr) return start();
        ::setenv(name, "6", 0);
        const struct put_back {
            ~put_back() { ::unsetenv(name); }
        } after;
        start();
    }

private:
    static constexpr const char* name = "KINETO_LOG_LEVEL";
    bool done_{};
};

}  // namespace perfspec::detail
