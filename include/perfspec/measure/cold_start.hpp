// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/machine/clock.hpp>

#include <vector>

namespace perfspec {

// What happens to a subject once in a process, in nanoseconds of the wall clock. Each function throws
// measurement_failure as take_sample does. Only the first one that a process calls measures a cold start.

/// Throws measurement_failure (no_value) for a subject without a `load`.
void require_load(const subject& x);

/// Throws measurement_failure (no_value) for a subject that was loaded in this process: its loading cannot be measured
/// any more.
void require_not_loaded(const subject& x);

/// The time of the subject's `load`. Throws measurement_failure (no_value) for a subject that has none or was loaded
/// before.
[[nodiscard]] double time_load(const subject& x, clock& wall);

/// The time of the first call, after its `load`.
[[nodiscard]] double time_first_call(const subject& x, clock& wall);

/// The times from the start of loading to the first steady call.
struct cold_start_times {
    double load_ns{};
    std::vector<double> calls_ns{};  ///< in the order made; the first is not steady by definition
    double steady_ns{};              ///< the median of the later half

    /// How many calls come before the first steady one; at least one. A call after the first is steady if it takes at
    /// most 1.1 times the steady time.
    [[nodiscard]] std::size_t calls_until_steady() const noexcept;
    /// The time of loading and of those calls.
    [[nodiscard]] double total_ns() const noexcept;
};

/// Loads x and calls it at least eleven times and for at least a tenth of a second. After ten seconds it stops earlier,
/// but makes at least three calls.
[[nodiscard]] cold_start_times time_cold_start(const subject& x, clock& wall);

}  // namespace perfspec
