// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/machine/cores.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

namespace perfspec::inline v0_2 {
namespace detail {

/// Whether this process has other threads than the calling one: its folder of threads then has more than three links.
inline bool has_other_threads() {
    struct stat folder {};
    return ::stat("/proc/self/task", &folder) == 0 && folder.st_nlink > 3;
}

/// Adds the cores that a thread may use; 0 is the calling one.
inline void add_cores_of(pid_t thread, cpu_set_t& all) {
    cpu_set_t own;
    if (::sched_getaffinity(thread, sizeof own, &own) == 0) CPU_OR(&all, &all, &own);
}

/// The cores that the threads of this process may use together: each may be bound to one, as by OMP_PROC_BIND. None if
/// the system does not report them.
inline cpu_set_t cores_of_threads() {
    cpu_set_t all;
    CPU_ZERO(&all);
    add_cores_of(0, all);
    std::error_code none;
    if (!has_other_threads()) return all;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", none))
        add_cores_of(std::atoi(thread.path().filename().c_str()), all);
    return all;
}

}  // namespace detail

std::vector<std::uint32_t> usable_cores() {
    std::vector<std::uint32_t> cores;
    const cpu_set_t allowed = detail::cores_of_threads();
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

}  // namespace perfspec::inline v0_2
