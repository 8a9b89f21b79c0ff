// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/dimension.hpp>

#include <chrono>

namespace perfspec {

/// A number with its dimension, in the base unit of that dimension (`dimension.hpp`): `quantity<dimension::time>{3e6}`
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

/// Converts a duration of the standard library to nanoseconds.
template <class Rep, class Period>
[[nodiscard]] constexpr double nanoseconds(std::chrono::duration<Rep, Period> d) noexcept {
    return std::chrono::duration<double, std::nano>(d).count();
}

namespace detail {

template <class T> inline constexpr bool is_quantity = false;
template <> inline constexpr bool is_quantity<percentage> = true;
template <dimension D> inline constexpr bool is_quantity<quantity<D>> = true;
template <class Rep, class Period> inline constexpr bool is_quantity<std::chrono::duration<Rep, Period>> = true;

/// A number with a unit.
template <class T>
concept Quantity = is_quantity<T>;

}  // namespace detail
}  // namespace perfspec
