// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/quantity.hpp>

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

namespace perfspec {
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
PERFSPEC_DETAIL_UNIT(GFLOPS, quantity<dimension::flop_rate>, 1e9)
PERFSPEC_DETAIL_UNIT(pct, percentage, 1e-2)

/// `percent(5)` is `5_pct`.
[[nodiscard]] constexpr percentage percent(double number) noexcept { return {number * 1e-2}; }
[[nodiscard]] constexpr quantity<dimension::item_rate> items_per_second(double number) noexcept { return {number}; }
[[nodiscard]] constexpr quantity<dimension::byte_rate> bytes_per_second(double number) noexcept { return {number}; }
[[nodiscard]] constexpr quantity<dimension::flop_rate> flops_per_second(double number) noexcept { return {number}; }

}  // namespace language
}  // namespace perfspec

#undef PERFSPEC_DETAIL_UNIT
