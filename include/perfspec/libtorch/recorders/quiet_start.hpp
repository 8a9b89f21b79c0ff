// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdlib>
#include <utility>

namespace perfspec::detail {

/// Keeps Kineto from writing two lines to the console for each trace. Kineto writes them below a level that it reads
/// from the environment when it first starts, so it stays quiet for the rest of the process. A level that the
/// environment already sets is kept.
///
/// Only the first call changes the environment, and restores it. Other threads may read it at any time, so every change
/// is a race.
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
