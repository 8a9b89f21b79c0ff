// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/peak_memory.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace perfspec::testing {

enum class peak_reset : std::uint8_t { works, refused };

/// Memory of a scripted size.
class scripted_memory final : public memory_system {
public:
    explicit scripted_memory(peak_reset r) : resets_(r) {}

    std::optional<std::int64_t> now = 1000;
    std::int64_t highest = 5000;

    void grow_to(std::int64_t bytes) { now = bytes, highest = std::max(highest, bytes); }

    [[nodiscard]] std::optional<std::int64_t> resident() override { return now; }
    [[nodiscard]] bool reset_peak() override {
        if (resets_ == peak_reset::works) highest = *now;
        return resets_ == peak_reset::works;
    }
    [[nodiscard]] std::optional<std::int64_t> peak() override { return highest; }
    [[nodiscard]] bool give_back_free() override {
        if (gives_back) now = *now - std::exchange(free, 0);
        return gives_back;
    }

    std::int64_t free = 0;  ///< of what is resident
    bool gives_back = true;

private:
    peak_reset resets_;
};

}  // namespace perfspec::testing
