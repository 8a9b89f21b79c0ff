// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/machine/clock.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <system_error>
#include <thread>
#include <vector>

namespace perfspec::inline v0_2 {

void thread_sleeper::sleep(std::int64_t ns) {
    if (ns > 0) std::this_thread::sleep_for(std::chrono::nanoseconds(ns));
}

namespace detail {

inline std::int64_t read_system_clock(clockid_t which) {
    timespec t{};
    if (clock_gettime(which, &t) != 0) throw std::system_error(errno, std::generic_category(), "clock_gettime");
    return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

/// The steps between consecutive readings, with a separate count of zeros.
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
            throw measurement_failure(failure_kind::zero_duration,
                                      "the clock stands still: ten million readings were equal");
        const std::int64_t now = c.now();
        if (now < last)
            throw measurement_failure(failure_kind::clock_went_backwards,
                                      "the clock went backwards between two readings in a row");
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

inline std::int64_t median_with_zeros(const clock_steps& steps, const std::vector<std::int64_t>& sorted) {
    const std::int64_t middle = (std::ssize(sorted) + steps.zeros) / 2;
    return middle < steps.zeros ? 0 : sorted[static_cast<std::size_t>(middle - steps.zeros)];
}

/// One inspection of a clock, and the share of steps that were disturbed.
struct clock_look {
    clock_facts facts;
    double disturbed{};  ///< share of the steps
};

/// A preemption lasts as long as a hundred thousand readings. So a step counts as at most twice the median, or one tick
/// of a coarse clock.
inline clock_look look_at(clock& c) {
    const clock_steps steps = steps_in_a_row(c);
    std::vector<std::int64_t> sorted = steps.positive;
    std::sort(sorted.begin(), sorted.end());
    const std::int64_t resolution = steps.zeros > 0 ? sorted.front() : smallest_difference(sorted);
    const std::int64_t longest = std::max(2 * median_with_zeros(steps, sorted), resolution);
    double total = 0.0;
    for (const std::int64_t step : sorted) total += static_cast<double>(std::min(step, longest));
    const auto beyond = sorted.end() - std::upper_bound(sorted.begin(), sorted.end(), longest);
    const auto count = static_cast<double>(std::ssize(sorted) + steps.zeros);
    return {{static_cast<double>(resolution), total / count}, static_cast<double>(beyond) / count};
}

}  // namespace detail

std::int64_t monotonic_clock::now() { return detail::read_system_clock(CLOCK_MONOTONIC); }

std::int64_t process_cpu_clock::now() { return detail::read_system_clock(CLOCK_PROCESS_CPUTIME_ID); }

clock_facts inspect(clock& c) {
    constexpr double tolerable = 0.05;
    constexpr int max_looks = 5;
    detail::clock_look best = detail::look_at(c);
    for (int looks = 1; best.disturbed > tolerable && looks < max_looks; ++looks) {
        const detail::clock_look next = detail::look_at(c);
        if (next.disturbed < best.disturbed) best = next;
    }
    return best.facts;
}

clock_facts inspect_again(clock& c, const clock_facts& first) {
    try {
        const clock_facts second = inspect(c);
        return second.cost_ns < first.cost_ns ? second : first;
    } catch (const measurement_failure&) { return first; }
}

}  // namespace perfspec::inline v0_2
