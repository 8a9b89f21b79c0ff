// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace perfspec {

/// Idles. A seam: tests need not wait.
class sleeper {
public:
    virtual ~sleeper() = default;
    /// Returns after `ns` nanoseconds, or at once where `ns` is zero or negative.
    virtual void sleep(std::int64_t ns) = 0;
};

/// Lets the calling thread sleep.
class thread_sleeper final : public sleeper {
public:
    void sleep(std::int64_t ns) override;
};

}  // namespace perfspec
