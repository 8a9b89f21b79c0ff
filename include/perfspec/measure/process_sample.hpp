// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/measure/machine/clock.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace perfspec::inline v0_2 {

/// The memory of a `.load(step)`, in bytes.
struct memory_of_load {
    double peak{};   ///< during the step, above the level before it
    double after{};  ///< the rest after the step
};

/// The memory that a program needs for a model and its run, in bytes.
struct loaded_memory {
    double held{};                         ///< by a model that was in memory before
    std::optional<memory_of_load> load{};  ///< nullopt: the subject has no load step
    double call{};                         ///< the peak of the first call, above the level before it

    [[nodiscard]] double total() const noexcept {
        return load ? held + std::max(load->peak, load->after + call) : held + call;
    }
};

/// Throws measurement_failure (no_value) for a subject without load step and model.
void require_model(const subject& x);

/// Loads x and calls it once. The counter is that of peak_memory. Inputs, made after loading, do not count. Throws
/// measurement_failure as take_sample does, and (no_value) for a subject without a model, or already loaded.
[[nodiscard]] loaded_memory take_loaded_memory(const subject& x, counter& memory);

// Events that a subject has once in a process, in nanoseconds of the wall clock. Each function throws
// measurement_failure as take_sample does. Only the first function that a process calls measures a cold start.

/// Throws measurement_failure (no_value) for a subject without a `load`.
void require_load(const subject& x);

/// The time of the subject's `load`. Throws measurement_failure (no_value) for a subject without one, or already
/// loaded.
[[nodiscard]] double time_load(const subject& x, clock& wall);

/// The time of the first call, after its `load`.
[[nodiscard]] double time_first_call(const subject& x, clock& wall);

/// The times from the start of loading to the first steady call.
struct cold_start_times {
    double load_ns{};
    std::vector<double> calls_ns{};  ///< in their order; the first is not steady by definition
    double steady_ns{};              ///< the median of the later half

    /// The number of calls before the first steady one; at least one. A call after the first is steady if it takes at
    /// most 1.1 times the steady time.
    [[nodiscard]] std::size_t calls_until_steady() const noexcept;
    /// The time of loading and of those calls.
    [[nodiscard]] double total_ns() const noexcept;
};

/// Loads x and calls it at least eleven times. Goes on until the calls took a tenth of a second, or all that they need
/// took a second. After ten seconds it stops earlier, but makes at least three calls.
[[nodiscard]] cold_start_times time_cold_start(const subject& x, clock& wall);

namespace detail {

/// The middle reading, or the mean of the middle two. There must be at least one. `stats` has its own median for
/// evidence, but this stage must not include it.
[[nodiscard]] double median_reading(std::vector<double> readings);

}  // namespace detail

/// How long a process measures: until it has `samples` and `at_least` has passed, but no longer than `at_most` if it
/// has `min_samples`. Calibration does not count. A few milliseconds would only show a momentary state of the machine.
struct process_limits {
    std::uint32_t samples{30};
    std::chrono::nanoseconds at_least{std::chrono::milliseconds{100}};
    std::chrono::nanoseconds at_most{std::chrono::seconds{1}};
    std::uint32_t min_samples{1};
};

/// The samples of one subject in one process; at least one.
struct process_times {
    timed_block samples{};
    sample_calibration calibration;
};

/// Measures one subject for a stored baseline. Throws measurement_failure: what take_sample throws; zero_duration;
/// too_slow if `min_samples` do not fit into the hard limit, with the time that they need.
[[nodiscard]] process_times measure_process(const subject& x, const measuring_settings& settings, const clocks& time,
                                            const process_limits& limits = {});

}  // namespace perfspec::inline v0_2
