// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/clock.hpp>
#include <perfspec/measure/failure.hpp>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <system_error>
#include <vector>

namespace perfspec {
namespace detail {

inline std::int64_t read_system_clock(clockid_t which) {
    timespec t{};
    if (clock_gettime(which, &t) != 0) throw std::system_error(errno, std::generic_category(), "clock_gettime");
    return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

/// Steps between readings that followed each other, zeros counted apart.
struct clock_steps {
    std::vector<std::int64_t> positive;
    std::int64_t zeros{};
};

inline clock_steps steps_in_a_row(clock& c) {
    constexpr std::int64_t enough = 1'000;
    constexpr std::int64_t patience = 10'000'000;
    clock_steps steps;
    std::int64_t last = c.now();
    for (std::int64_t readings = 1; readings < enough || steps.positive.empty(); ++readings) {
        if (readings == patience)
            throw measurement_failure(failure_kind::zero_duration, "the clock stands still: ten million readings were equal");
        const std::int64_t now = c.now();
        if (now < last)
            throw measurement_failure(failure_kind::clock_went_backwards, "the clock went backwards between two readings in a row");
        if (now == last) ++steps.zeros;
        else steps.positive.push_back(now - last);
        last = now;
    }
    return steps;
}

inline std::int64_t smallest_difference(const std::vector<std::int64_t>& sorted) {
    std::int64_t smallest = sorted.front();
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        if (sorted[i] != sorted[i - 1]) smallest = std::min(smallest, sorted[i] - sorted[i - 1]);
    }
    return smallest;
}

}  // namespace detail

std::int64_t monotonic_clock::now() { return detail::read_system_clock(CLOCK_MONOTONIC); }

std::int64_t process_cpu_clock::now() { return detail::read_system_clock(CLOCK_PROCESS_CPUTIME_ID); }

clock_facts inspect(clock& c) {
    auto [steps, zeros] = detail::steps_in_a_row(c);
    std::sort(steps.begin(), steps.end());
    double total = 0.0;
    for (const std::int64_t step : steps) total += static_cast<double>(step);
    const std::int64_t resolution = zeros > 0 ? steps.front() : detail::smallest_difference(steps);
    return {static_cast<double>(resolution), total / static_cast<double>(std::ssize(steps) + zeros)};
}

}  // namespace perfspec
