// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/body_result.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/machine/busy_processors.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <thread>
#include <vector>

#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

namespace perfspec {
namespace detail {

/// Computes, and walks through the memory in an order that no prefetcher predicts.
inline void spin(std::vector<std::uint64_t>& memory, const std::atomic<bool>& is_over) {
    std::uint64_t state = 88172645463325252ULL;
    while (!is_over.load(std::memory_order_relaxed)) {
        for (int i = 0; i < 1000; ++i) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            memory[(state >> 33U) % memory.size()] += state;
        }
    }
    keep(memory.front());
}

class busy_threads {
public:
    explicit busy_threads(std::size_t threads)
        : memory_(threads, std::vector<std::uint64_t>((std::size_t{1} << 20U) / sizeof(std::uint64_t), 1)) {
        try {
            for (auto& memory : memory_) threads_.emplace_back([this, &memory] { spin(memory, is_over_); });
        } catch (...) {
            end();
            throw;
        }
    }
    busy_threads(const busy_threads&) = delete;
    busy_threads& operator=(const busy_threads&) = delete;
    ~busy_threads() { end(); }

private:
    void end() noexcept {
        is_over_.store(true, std::memory_order_relaxed);
        for (std::thread& t : threads_) t.join();
        threads_.clear();
    }

    std::atomic<bool> is_over_{false};
    std::vector<std::vector<std::uint64_t>> memory_;
    std::vector<std::thread> threads_;
};

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

/// The cores that the threads of a process ("123") may use together: each may be bound to one, as by OMP_PROC_BIND. None
/// if the system does not report them.
inline cpu_set_t cores_of_threads(const std::string& process) {
    cpu_set_t all;
    CPU_ZERO(&all);
    std::error_code none;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/" + process + "/task", none))
        add_cores_of(std::atoi(thread.path().filename().c_str()), all);
    return all;
}

/// The same of this process.
inline cpu_set_t cores_of_threads() {
    if (has_other_threads()) return cores_of_threads("self");
    cpu_set_t all;
    CPU_ZERO(&all);
    add_cores_of(0, all);
    return all;
}

/// The number of these cores; of all if there are none.
inline int number_of(const cpu_set_t& cores) {
    if (const int count = CPU_COUNT(&cores); count > 0) return count;
    return static_cast<int>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
}

}  // namespace detail

std::shared_ptr<void> keep_processors_busy(std::size_t threads) {
    return std::make_shared<detail::busy_threads>(threads);
}

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

}  // namespace perfspec
