// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/body_checks/first_call.hpp>
#include <perfspec/measure/sample.hpp>

#include <algorithm>
#include <array>

namespace perfspec {
namespace detail {

inline bool is_much_more(std::int64_t first_ns, std::int64_t later_ns) noexcept {
    constexpr std::int64_t several = 3;
    constexpr std::int64_t worth_telling_ns = 300'000;
    return first_ns >= several * later_ns && first_ns - later_ns >= worth_telling_ns;
}

/// The time without the cost of touching new memory: page faults, zeroing of pages, and caches that do not hold it yet.
inline std::int64_t without_new_memory(std::int64_t ns, const call_usage& of) noexcept {
    constexpr std::int64_t fault_ns =
        25'000;  // 5 to 7 us beside busy loops, 18 us on a virtual machine whose host has to find the page
    return ns - std::max(of.grown_bytes, fault_ns * of.page_faults);
}

inline std::int64_t middle_of_three(std::array<call_usage, 3> calls, std::int64_t call_usage::*what) {
    std::ranges::sort(calls, {}, what);
    return calls[1].*what;
}

}  // namespace detail

std::optional<call_usage> use_of_call(const subject& x, usage_meter* meter) {
    if (meter == nullptr) {
        run_untimed(x, 1);
        return {};
    }
    const usage before = meter->now();
    run_untimed(x, 1);
    const usage after = meter->now();
    return call_usage{after.wall_ns - before.wall_ns,
                      after.cpu_ns - before.cpu_ns,
                      after.memory_bytes - before.memory_bytes,
                      after.page_faults - before.page_faults,
                      after.threads,
                      after.others_cpu_ns() - before.others_cpu_ns()};
}

bool is_first_call_alone(const call_usage& first, const call_usage& later) noexcept {
    constexpr std::int64_t reading_ns = 3'000;  // the time between the two readings of processor time
    return first.threads <= 1 && first.others_cpu_ns <= reading_ns &&
           detail::is_much_more(detail::without_new_memory(first.wall_ns, first), later.wall_ns) &&
           detail::is_much_more(detail::without_new_memory(first.cpu_ns, first), later.cpu_ns);
}

first_call_times look_at_first_call(const subject& x, const std::optional<call_usage>& first, double later_ns,
                                    usage_meter* meter) {
    if (!first || !is_first_call_alone(*first, {.wall_ns = static_cast<std::int64_t>(later_ns)})) return {};
    std::array<call_usage, 3> later;
    for (call_usage& use : later) use = use_of_call(x, meter).value_or(*first);
    const call_usage middle{.wall_ns = detail::middle_of_three(later, &call_usage::wall_ns),
                            .cpu_ns = detail::middle_of_three(later, &call_usage::cpu_ns)};
    if (!is_first_call_alone(*first, middle)) return {};
    return {static_cast<double>(std::min(first->wall_ns, first->cpu_ns)), later_ns};
}

}  // namespace perfspec
