// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

namespace perfspec {
inline namespace language {

/// Makes the optimiser believe that `value` is read here, so it keeps the work that made it.
///
///     PERF_CHECK(latency([&] { for (int x : v) { total += x; } keep(total); }) < 1ms);
///
/// There is no need to keep a value that a body returns: perfspec does so.
template <class T> [[gnu::always_inline]] inline void keep(const T& value) noexcept {
    asm volatile("" : : "r"(&value) : "memory");
}

/// Makes the optimiser believe that all memory may have been read and written here.
[[gnu::always_inline]] inline void clobber() noexcept { asm volatile("" : : : "memory"); }

/// Returns `value` and hides from the optimiser where it came from. So a literal input is not folded into the result.
///
///     PERF_CHECK(latency([] { return std::pow(opaque(1.5), 7.0); }) < 1us);
template <class T>
[[nodiscard, gnu::always_inline]] inline T opaque(T value) noexcept(std::is_nothrow_move_constructible_v<T>) {
    if constexpr (std::is_integral_v<T> || std::is_pointer_v<T>) {
        asm volatile("" : "+r"(value));
    } else {
        asm volatile("" : "+m"(value) : : "memory");
    }
    return value;
}

}  // namespace language
}  // namespace perfspec
