// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/machine/core.hpp>

#include <sched.h>

namespace perfspec {

std::vector<std::uint32_t> usable_cores() {
    std::vector<std::uint32_t> cores;
    cpu_set_t allowed;
    if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return cores;
    for (std::uint32_t core = 0; core < CPU_SETSIZE; ++core)
        if (CPU_ISSET(core, &allowed)) cores.push_back(core);
    return cores;
}

void move_to_core(std::uint32_t core) noexcept {
    cpu_set_t allowed;
    if (core >= CPU_SETSIZE || ::sched_getaffinity(0, sizeof allowed, &allowed) != 0 || !CPU_ISSET(core, &allowed))
        return;
    cpu_set_t there;
    CPU_ZERO(&there);
    CPU_SET(core, &there);
    if (::sched_setaffinity(0, sizeof there, &there) == 0) ::sched_setaffinity(0, sizeof allowed, &allowed);
}

std::optional<std::uint32_t> draw_core(std::span<const std::uint32_t> cores, random_order& order) {
    if (cores.size() < 2) return std::nullopt;
    constexpr int bits = 16;
    std::size_t drawn = 0;
    for (int bit = 0; bit < bits; ++bit) drawn = 2 * drawn + (order.next() ? 1U : 0U);
    return cores[drawn % cores.size()];
}

}  // namespace perfspec
