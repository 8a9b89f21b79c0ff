// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/quantity.hpp>

namespace perfspec {

/// The stored launches of the query on the other side: `baseline()`, or scaled `1.05 * baseline()`, `baseline() + 5_pct`.
struct baseline_bound {
    double factor{1.0};
};

/// `baseline() + 2ms`: the stored launches, shifted.
template <dimension D> struct shifted_baseline_bound {
    double factor{1.0};
    double offset{};  ///< in the base unit of D
};

inline namespace language {

/// What this query's value was when its baseline was recorded on this hardware.
///
///     PERF_CHECK(latency(f) < 1.05 * baseline());
[[nodiscard]] constexpr baseline_bound baseline() noexcept { return {}; }

}  // namespace language

[[nodiscard]] constexpr baseline_bound operator*(double factor, baseline_bound b) noexcept { return {b.factor * factor}; }
[[nodiscard]] constexpr baseline_bound operator*(baseline_bound b, double factor) noexcept { return {b.factor * factor}; }
[[nodiscard]] constexpr baseline_bound operator+(baseline_bound b, percentage p) noexcept { return {b.factor * (1.0 + p.fraction)}; }
[[nodiscard]] constexpr baseline_bound operator-(baseline_bound b, percentage p) noexcept { return {b.factor * (1.0 - p.fraction)}; }

template <dimension D> [[nodiscard]] constexpr shifted_baseline_bound<D> operator+(baseline_bound b, quantity<D> q) noexcept {
    return {b.factor, q.value};
}
template <dimension D> [[nodiscard]] constexpr shifted_baseline_bound<D> operator-(baseline_bound b, quantity<D> q) noexcept {
    return {b.factor, -q.value};
}
template <class Rep, class Period>
[[nodiscard]] constexpr shifted_baseline_bound<dimension::time> operator+(baseline_bound b, std::chrono::duration<Rep, Period> d) noexcept {
    return {b.factor, nanoseconds(d)};
}
template <class Rep, class Period>
[[nodiscard]] constexpr shifted_baseline_bound<dimension::time> operator-(baseline_bound b, std::chrono::duration<Rep, Period> d) noexcept {
    return {b.factor, -nanoseconds(d)};
}

}  // namespace perfspec
