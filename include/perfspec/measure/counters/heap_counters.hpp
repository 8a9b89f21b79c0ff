// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/counter.hpp>

#include <atomic>
#include <cstdint>

namespace perfspec {
namespace detail {

/// What the operators of <perfspec/allocations.hpp> count into. They count only while somebody asks, so that timed bodies pay one load.
struct heap_counters {
    std::atomic<bool> counting{false};
    std::atomic<std::int64_t> calls{0};
    std::atomic<std::int64_t> bytes{0};
};

/// Makes the operators' counters known; called by that header before main.
bool use_heap_counters(heap_counters& counted) noexcept;

/// The counters of this program; null where nothing replaces operator new.
[[nodiscard]] heap_counters* known_heap_counters() noexcept;

}  // namespace detail

/// Calls of operator new, or bytes asked for by them, of all threads.
class heap_counter final : public counter {
public:
    enum class what : std::uint8_t { calls, bytes };

    /// counted  null where the program does not count; then `begin` says how to make it
    heap_counter(what w, detail::heap_counters* counted) noexcept : what_(w), counted_(counted) {}

    [[nodiscard]] std::string begin() override;
    void end() noexcept override;
    [[nodiscard]] std::int64_t now() override;

private:
    what what_;
    detail::heap_counters* counted_;
};

}  // namespace perfspec
