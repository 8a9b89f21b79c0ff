// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/body_checks/work_after.hpp>
#include <perfspec/measure/sample.hpp>

#include <algorithm>

namespace perfspec {
namespace detail {

/// Waits until the other threads have rested for ten milliseconds. Returns false where they do not within a quarter of a second, which is
/// longer than any threading library spins for its next work. A thread that waits for a processor of a busy machine does not rest.
inline bool wait_for_rest(usage_meter& meter, sleeper& rest) {
    constexpr std::int64_t step_ns = 1'000'000;
    constexpr int steps_of_rest = 10;
    constexpr int patience = 250;
    for (int step = 0, rested = 0; step < patience; ++step) {
        rest.sleep(step_ns);
        rested = meter.others_rest() ? rested + 1 : 0;
        if (rested == steps_of_rest) return true;
    }
    return false;
}

/// The most processor time that other threads used after `calls` calls, over several looks. One look could miss it: on a busy machine the
/// threads may have worked before the meter is read. Nothing where the threads do not rest.
inline std::optional<std::int64_t> work_after(const subject& x, std::uint64_t calls, int looks, usage_meter& meter, sleeper& rest) {
    std::int64_t maximum = 0;
    for (int i = 0; i < looks; ++i) {
        run_untimed(x, calls);
        const std::int64_t returned = meter.now().others_cpu_ns();
        if (!wait_for_rest(meter, rest)) return {};
        maximum = std::max(maximum, meter.now().others_cpu_ns() - returned);
    }
    return maximum;
}

}  // namespace detail

double work_after_calls::a_call() const noexcept {
    return static_cast<double>(after_many_ns - after_one_ns) / static_cast<double>(many - 1);
}

bool work_after_calls::is_of_each_call(double call_ns) const noexcept {
    return many > 1 && after_many_ns >= 4 * after_one_ns && after_many_ns > after_one_ns && a_call() >= call_ns;
}

namespace detail {

/// The work of each call that goes on after it returned, by one comparison of many calls with one. `seen` tells whether any work did.
inline std::optional<double> compare_work_after(const subject& x, double call_ns, std::uint64_t many, usage_meter& meter, sleeper& rest,
                                                bool& seen) {
    const auto after_many = work_after(x, many, 2, meter, rest);
    seen = !after_many || static_cast<double>(*after_many) >= call_ns;
    if (!after_many || !work_after_calls{0, *after_many, many}.is_of_each_call(call_ns)) return {};
    const auto after_one = work_after(x, 1, 3, meter, rest);
    if (!after_one) return {};
    const work_after_calls found{*after_one, *after_many, many};
    return found.is_of_each_call(call_ns) ? std::optional(found.a_call()) : std::nullopt;
}

}  // namespace detail

std::optional<double> find_work_after(const subject& x, double call_ns, usage_meter& meter, sleeper& rest) {
    constexpr double repeated_for_ns = 5e6;
    constexpr double minimum = 8.0;
    constexpr double maximum = 16.0;
    constexpr double too_slow_ns = 5e6;
    constexpr int looks = 3;  // on a busy machine the threads may work before the call returns, or find no processor
    if (call_ns > too_slow_ns || !detail::wait_for_rest(meter, rest)) return {};
    const auto many = static_cast<std::uint64_t>(std::clamp(repeated_for_ns / call_ns, minimum, maximum));
    bool seen = true;
    for (int look = 0; look < looks && seen; ++look)
        if (const auto found = detail::compare_work_after(x, call_ns, many, meter, rest, seen)) return found;
    return {};
}

}  // namespace perfspec
