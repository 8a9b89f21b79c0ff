// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/checks.hpp>
#include <perfspec/stats/hodges_lehmann.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace perfspec {

namespace detail {

/// Maps doubles to unsigned integers of the same order, so a bisection over these ends exactly on a double.
[[nodiscard]] inline std::uint64_t to_ordered(double value) noexcept {
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    const auto bits = std::bit_cast<std::uint64_t>(value);
    return (bits & sign) != 0 ? ~bits : bits | sign;
}

[[nodiscard]] inline double from_ordered(std::uint64_t order) noexcept {
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    return std::bit_cast<double>((order & sign) != 0 ? order ^ sign : ~order);
}

/// How many sums of two values (i <= j) are at most `limit`. Rounded sums still ascend along rows and columns, so one
/// walk along the staircase counts them all.
[[nodiscard]] inline std::size_t count_sums_up_to(double limit, const std::vector<double>& sorted) noexcept {
    std::size_t count = 0;
    std::size_t end = sorted.size();
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        while (end > i && sorted[i] + sorted[end - 1] > limit) --end;
        if (end <= i) break;
        count += end - i;
    }
    return count;
}

/// The rank-th smallest sum of two values (i <= j), with ranks from 1: the least double that at least `rank` sums do
/// not exceed.
[[nodiscard]] inline double select_sum(std::size_t rank, const std::vector<double>& sorted) noexcept {
    std::uint64_t low = to_ordered(sorted.front() + sorted.front());
    std::uint64_t high = to_ordered(sorted.back() + sorted.back());
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        if (count_sums_up_to(from_ordered(middle), sorted) >= rank) high = middle;
        else low = middle + 1;
    }
    return from_ordered(high);
}

}  // namespace detail

double hodges_lehmann(std::span<const double> values) {
    detail::require_sample("hodges_lehmann", values);
    // Halves the values first, so their sums are the averages and none overflows.
    std::vector<double> halves(values.size());
    std::transform(values.begin(), values.end(), halves.begin(), [](double v) { return v / 2; });
    std::sort(halves.begin(), halves.end());

    const std::size_t averages = halves.size() * (halves.size() + 1) / 2;
    const double upper = detail::select_sum(averages / 2 + 1, halves);
    if (averages % 2 != 0) return upper;
    return detail::select_sum(averages / 2, halves) / 2 + upper / 2;
}

}  // namespace perfspec
