// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/machine/disturbance.hpp>

#include <cstdint>

namespace perfspec::testing {

/// The usage of a process, as bodies report it.
class scripted_usage final : public usage_meter {
public:
    usage used{};
    std::int64_t wait{};       ///< for a processor, so far
    std::int64_t throttled{};  ///< its control group, so far
    process_resources holds{};

    /// This thread works for `ns`.
    void work(std::int64_t ns) {
        used.wall_ns += ns;
        used.cpu_ns += ns;
        used.own_cpu_ns += ns;
    }

    [[nodiscard]] usage now() override { return used; }
    [[nodiscard]] process_resources kept() override { return holds; }
    [[nodiscard]] waiting_so_far waited() override { return {wait, throttled, used.cpu_ns, used.threads > 1, 2}; }
};

}  // namespace perfspec::testing
