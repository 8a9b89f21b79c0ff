// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/counters/usage.hpp>

#include <cstdint>
#include <optional>

namespace perfspec {

/// What one call used.
struct call_usage {
    std::int64_t wall_ns{};
    std::int64_t cpu_ns{};
    std::int64_t grown_bytes{};  ///< of resident memory
    std::int64_t page_faults{};
    int threads{};                 ///< of the process, after it
    std::int64_t others_cpu_ns{};  ///< of the other ones meanwhile

    friend bool operator==(const call_usage&, const call_usage&) = default;
};

/// Runs x once and says what that used; nothing where nobody meters.
[[nodiscard]] std::optional<call_usage> use_of_call(const subject& x, usage_meter* meter);

/// Whether the first call did work that a later one does not: three times its time at least, and 0.3 ms more, by the wall clock and by
/// the processor's time, so that an interrupted first call is none.
///
/// Not counted are a nanosecond for every byte of memory that the first call was the first to touch, or 10 us for each of its page faults, and calls
/// beside which there are other threads: these are created, woken and waited for by spinning.
[[nodiscard]] bool is_first_call_alone(const call_usage& first, const call_usage& later) noexcept;

/// The times of a first call that was like no later one, nanoseconds; zeros where nothing is to be told. Of the wall clock, or of the processor where
/// the call was interrupted.
struct first_call_times {
    double first_ns{};
    double later_ns{};

    friend bool operator==(const first_call_times&, const first_call_times&) = default;
};

/// What `first` says beside calls of `later_ns`. Runs x three times more where it was much longer.
[[nodiscard]] first_call_times look_at_first_call(const subject& x, const std::optional<call_usage>& first, double later_ns,
                                                  usage_meter* meter);

}  // namespace perfspec
