// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/bound.hpp>

#include <type_traits>

namespace perfspec::inline v0_2 {
inline namespace language {

/// Makes the optimizer believe that `value` is read here, so it keeps the work that made it.
///
///     PERF_CHECK(latency([&] { for (int x : v) { total += x; } do_not_optimize(total); }) < 1ms);
///
/// perfspec keeps the values that bodies return.
template <class T> [[gnu::always_inline]] inline void do_not_optimize(const T& value) noexcept {
    constexpr bool fits = sizeof(T) <= sizeof(void*);
    if constexpr (fits && (std::is_integral_v<T> || std::is_enum_v<T> || std::is_pointer_v<T>)) {
        asm volatile("" : : "r"(value) : "memory");  // it may stay in a register
#if defined(__x86_64__)
    } else if constexpr (fits && std::is_floating_point_v<T>) {
        asm volatile("" : : "x"(value) : "memory");
#elif defined(__aarch64__)
    } else if constexpr (fits && std::is_floating_point_v<T>) {
        asm volatile("" : : "w"(value) : "memory");
#endif
    } else {
        asm volatile("" : : "r"(&value) : "memory");
    }
}

/// Makes the optimizer believe that all memory may have been read and written here.
[[gnu::always_inline]] inline void clobber_memory() noexcept { asm volatile("" : : : "memory"); }

/// Returns `value` and hides its origin from the optimizer, which then does not fold a literal input.
///
///     PERF_CHECK(latency([] { return std::pow(black_box(1.5), 7.0); }) < 1us);
template <class T>
[[nodiscard, gnu::always_inline]] inline T black_box(T value) noexcept(std::is_nothrow_move_constructible_v<T>) {
    if constexpr (std::is_integral_v<T> || std::is_pointer_v<T>) {
        asm volatile("" : "+r"(value));
    } else {
        asm volatile("" : "+m"(value) : : "memory");
    }
    return value;
}

}  // namespace language
}  // namespace perfspec::inline v0_2

// Recognizes bodies that return unfinished work, by the shape of the result, because <future>, <coroutine>, <ranges>
// and <functional> are too large to include here.

namespace perfspec::inline v0_2::detail {

template <class R>
concept FutureShape = requires(R& r) {
    r.wait();
    r.get();
    r.valid();
};

template <class R>
concept CoroutineShape = requires {
    typename R::promise_type;
}
|| requires(R& r) { r.await_ready(); };

/// The adaptors of std::ranges have a base(), the range that they adapt. Spans, string views and containers have a
/// value_type.
template <class R>
concept LazyViewShape = requires(R& r) {
    r.begin();
    r.base();
}
&&!requires { typename R::value_type; };

template <class> inline constexpr bool takes_nothing = false;
template <class R, class C> inline constexpr bool takes_nothing<R (C::*)()> = true;
template <class R, class C> inline constexpr bool takes_nothing<R (C::*)() const> = true;
template <class R, class C> inline constexpr bool takes_nothing<R (C::*)() noexcept> = true;
template <class R, class C> inline constexpr bool takes_nothing<R (C::*)() const noexcept> = true;

/// A callable without parameters. Engines of random numbers are excluded: making one is work in itself.
template <class R>
concept CallShape = requires {
    &R::operator();
}
&&takes_nothing<decltype(&R::operator())> && !requires {
    R::min();
    R::max();
};

/// Refuses a body whose result only promises the work. Pointers and references are allowed.
template <class R> consteval void require_finished_result() {
    if constexpr (std::is_class_v<R>) {
        static_assert(
            !FutureShape<R>,
            "perfspec: a body returns a future, whose work may not have begun: wait for it in the body, f().get()");
        static_assert(!CoroutineShape<R>,
                      "perfspec: a body returns a coroutine, which has not run to its end: run it in the body");
        static_assert(
            !LazyViewShape<R>,
            "perfspec: a body returns a view, and nothing has computed its elements: go through them in the body");
        static_assert(
            !CallShape<R>,
            "perfspec: a body returns a function, and nothing calls it: call it in the body, or write do_not_optimize(f()) "
            "where making it is the work");
    }
}

}  // namespace perfspec::inline v0_2::detail
