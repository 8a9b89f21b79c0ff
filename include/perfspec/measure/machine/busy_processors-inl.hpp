// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/keep.hpp>
#include <perfspec/measure/machine/busy_processors.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace perfspec {
namespace detail {

/// Walks through its memory in an order that no prefetcher knows, and computes meanwhile.
inline void be_busy(const std::atomic<bool>& is_over) {
    constexpr std::size_t words = (std::size_t{1} << 20U) / sizeof(std::uint64_t);
    std::vector<std::uint64_t> memory(words, 1);
    std::uint64_t state = 88172645463325252ULL;
    while (!is_over.load(std::memory_order_relaxed)) {
        for (int i = 0; i < 1000; ++i) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            memory[(state >> 33U) % words] += state;
        }
    }
    keep(memory.front());
}

class busy_threads final : public machine_load {
public:
    explicit busy_threads(std::size_t threads) {
        for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { be_busy(is_over_); });
    }
    ~busy_threads() override {
        is_over_.store(true, std::memory_order_relaxed);
        for (std::thread& t : threads_) t.join();
    }

private:
    std::atomic<bool> is_over_{false};
    std::vector<std::thread> threads_;
};

}  // namespace detail

std::unique_ptr<machine_load> keep_processors_busy(std::size_t threads) { return std::make_unique<detail::busy_threads>(threads); }

}  // namespace perfspec
