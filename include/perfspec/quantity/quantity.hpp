// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <cstdint>

namespace perfspec::inline v0_2 {

/// The dimension of a number. Only quantities of equal dimensions compare. A `quantity` is in the base unit of its
/// dimension: nanoseconds, 1, 1, bytes, 1/s, bytes/s, flop/s. For `own`, a user's metric, the metric's name is the
/// unit. For `power`, of a complexity, and `spread`, which is relative, the unit is 1.
enum class dimension : std::uint8_t { time, ratio, count, bytes, item_rate, byte_rate, flop_rate, own, power, spread };

/// The direction in which a metric improves.
enum class better : std::uint8_t { less, more };

/// A number with its dimension, in the base unit of that dimension: `quantity<dimension::time>{3e6}`
/// is 3 ms.
template <dimension D> struct quantity {
    double value{};

    friend constexpr bool operator==(const quantity&, const quantity&) = default;
    friend constexpr quantity operator*(double factor, quantity q) noexcept { return {factor * q.value}; }
    friend constexpr quantity operator*(quantity q, double factor) noexcept { return {factor * q.value}; }
};

/// A relative amount: `5_pct` is `percentage{0.05}`.
struct percentage {
    double fraction{};

    friend constexpr bool operator==(const percentage&, const percentage&) = default;
};

namespace detail {

/// Converts a duration of the standard library to nanoseconds.
template <class Rep, class Period>
[[nodiscard]] constexpr double nanoseconds(std::chrono::duration<Rep, Period> d) noexcept {
    return std::chrono::duration<double, std::nano>(d).count();
}

}  // namespace detail
}  // namespace perfspec::inline v0_2

/// Defines a unit as a literal (`2_MiB`, `5_pct`) and as a function (`MiB(2)`). Times are the standard library's:
/// `3ms`, `1.5us`.
#define PERFSPEC_DETAIL_UNIT(NAME, TYPE, SCALE)                                              \
    [[nodiscard]] constexpr TYPE NAME(double number) noexcept { return {number * (SCALE)}; } \
    [[nodiscard]] constexpr TYPE operator""_##NAME(long double number) noexcept {            \
        return {static_cast<double>(number) * (SCALE)};                                      \
    }                                                                                        \
    [[nodiscard]] constexpr TYPE operator""_##NAME(unsigned long long number) noexcept {     \
        return {static_cast<double>(number) * (SCALE)};                                      \
    }

namespace perfspec::inline v0_2 {
inline namespace language {

using namespace std::chrono_literals;

PERFSPEC_DETAIL_UNIT(KiB, quantity<dimension::bytes>, 1024.0)
PERFSPEC_DETAIL_UNIT(MiB, quantity<dimension::bytes>, 1048576.0)
PERFSPEC_DETAIL_UNIT(GiB, quantity<dimension::bytes>, 1073741824.0)
PERFSPEC_DETAIL_UNIT(kB, quantity<dimension::bytes>, 1e3)
PERFSPEC_DETAIL_UNIT(MB, quantity<dimension::bytes>, 1e6)
PERFSPEC_DETAIL_UNIT(GB, quantity<dimension::bytes>, 1e9)
PERFSPEC_DETAIL_UNIT(MBps, quantity<dimension::byte_rate>, 1e6)
PERFSPEC_DETAIL_UNIT(GBps, quantity<dimension::byte_rate>, 1e9)
PERFSPEC_DETAIL_UNIT(GFLOP_per_s, quantity<dimension::flop_rate>, 1e9)
PERFSPEC_DETAIL_UNIT(pct, percentage, 1e-2)

[[nodiscard]] constexpr quantity<dimension::item_rate> items_per_second(double number) noexcept { return {number}; }
[[nodiscard]] constexpr quantity<dimension::byte_rate> bytes_per_second(double number) noexcept { return {number}; }
[[nodiscard]] constexpr quantity<dimension::flop_rate> flops_per_second(double number) noexcept { return {number}; }

}  // namespace language
}  // namespace perfspec::inline v0_2

#undef PERFSPEC_DETAIL_UNIT
