// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/counter.hpp>

#include <atomic>
#include <cstdint>

#include <pthread.h>

namespace perfspec::inline v0_2 {
namespace detail {

/// The counters that the functions of <perfspec/allocations.hpp> increase. They count only on request, so timed bodies
/// pay one load.
struct heap_counters {
    bool counts_malloc{};  ///< not only the calls of operator new
    std::atomic<bool> counting{false};
    std::atomic<std::int64_t> calls{0};
    std::atomic<std::int64_t> bytes{0};
    std::atomic<pthread_t> thread{};  ///< the thread that counts
    std::atomic<std::int64_t> calls_of_others{0};
};

/// Registers these counters; that header calls it before main.
bool use_heap_counters(heap_counters& counted, bool counts_malloc) noexcept;

/// The counters of this program; null if nothing replaces operator new.
[[nodiscard]] heap_counters* known_heap_counters() noexcept;

}  // namespace detail

/// Counts the calls of operator new, malloc and its family, or the bytes that they ask for, in all threads.
class heap_counter final : public counter {
public:
    enum class what : std::uint8_t { calls, bytes };

    /// counted  called at each use, because another file may register its counters later; null if the program does not
    ///          count: `begin` then returns the remedy. If it would miss calls of malloc, `begin` throws
    ///          measurement_failure (not_countable)
    heap_counter(what w, detail::heap_counters* (*counted)() noexcept) noexcept : what_(w), counted_(counted) {}

    [[nodiscard]] std::string begin() override;
    void end() noexcept override;
    [[nodiscard]] std::int64_t now() override;
    [[nodiscard]] std::string caveat() const override;

private:
    what what_;
    detail::heap_counters* (*counted_)() noexcept;
};

}  // namespace perfspec::inline v0_2
