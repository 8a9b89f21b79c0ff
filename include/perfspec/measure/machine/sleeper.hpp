// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace perfspec {

/// How to idle; a seam, so that tests do not.
class sleeper {
public:
    virtual ~sleeper() = default;
    /// Returns after so many nanoseconds, or at once for none or fewer.
    virtual void sleep(std::int64_t ns) = 0;
};

/// Lets the calling thread sleep.
class thread_sleeper final : public sleeper {
public:
    void sleep(std::int64_t ns) override;
};

}  // namespace perfspec
