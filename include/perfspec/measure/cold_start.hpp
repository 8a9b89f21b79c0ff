// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/machine/clock.hpp>

#include <vector>

namespace perfspec {

// What happens to a subject once in a process, on the wall clock in nanoseconds. Each throws measurement_failure as take_sample does; only the
// first of them in a process says something.

/// Throws measurement_failure (no_value) for a subject without a `load`.
void require_load(const subject& x);

/// The time of the subject's `load`. Throws measurement_failure (no_value) for a subject without one, or that was loaded before.
[[nodiscard]] double time_load(const subject& x, clock& wall);

/// The time of the first call, after its `load`.
[[nodiscard]] double time_first_call(const subject& x, clock& wall);

/// From the start of loading to the first call that is steady.
struct cold_start_times {
    double load_ns{};
    std::vector<double> calls_ns{};  ///< in the order made; the first is not steady by definition
    double steady_ns{};              ///< the median of the later half

    /// The calls before the first one, after the first, that takes no more than 1.1 times the steady time; at least one.
    [[nodiscard]] std::size_t calls_until_steady() const noexcept;
    /// Of loading and those calls.
    [[nodiscard]] double total_ns() const noexcept;
};

/// Loads and calls x until it has been called eleven times and for a tenth of a second, but no longer than ten seconds and at least three times.
[[nodiscard]] cold_start_times time_cold_start(const subject& x, clock& wall);

}  // namespace perfspec
