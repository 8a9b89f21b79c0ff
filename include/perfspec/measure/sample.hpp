// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/measure/measuring_settings.hpp>

#include <cstdint>

namespace perfspec {

/// One timed reading: a batch of iterations. Of a counter, what was counted stands for nanoseconds.
struct sample {
    std::int64_t elapsed_ns{};
    std::uint64_t iterations{1};

    /// Nanoseconds an iteration.
    [[nodiscard]] double per_iteration() const noexcept { return static_cast<double>(elapsed_ns) / static_cast<double>(iterations); }

    friend bool operator==(const sample&, const sample&) = default;
};

/// Whether a sample follows an untimed call, which brings code and data back into the caches.
enum class warm_call : std::uint8_t { no, yes };

/// Takes one sample: the warm call if asked · prepare · clock · run, wait · clock · discard.
///
/// Only run and wait lie between the readings. The warm call comes before prepare, because it needs an input of its own, and
/// drops it. What was prepared is discarded on every way out.
/// Throws measurement_failure: refused, setup_threw, body_threw (with the exception), clock_went_backwards for a negative
/// difference. A difference of zero is a sample.
[[nodiscard]] sample take_sample(const subject& x, std::uint64_t iterations, warm_call warm, clock& c);

/// The same for data that need a duration: throws zero_duration when the clock did not advance, unless it counts.
[[nodiscard]] sample take_positive_sample(const subject& x, std::uint64_t iterations, warm_call warm, clock& c);

/// Throws measurement_failure (no_value) for a body that returns no number.
void require_value(const subject& x);

/// One call of a body that returns a number, and that number. Throws as take_sample does, and measurement_failure (no_value) for one that is not
/// finite, or is negative, or where the body returns none.
[[nodiscard]] double take_value(const subject& x);

/// The same of the device's own time, nanoseconds; only of a subject that has it.
[[nodiscard]] double take_device_time(const subject& x);

/// What one call tells, of whichever kind.
[[nodiscard]] double take_reported(const subject& x, sample_kind what);

/// Runs the subject's `load` where it has one and has not been loaded in this process; the other functions here do so before their first run.
/// Throws measurement_failure as they do.
void ensure_loaded(const subject& x);

/// The same steps without a clock, to warm up or to run a body that nobody times.
void run_untimed(const subject& x, std::uint64_t iterations);

/// Runs of bodies in this process, whichever thread began them: a run is prepared, timed and discarded.
struct body_runs {
    std::uint64_t begun{};
    std::uint64_t ended{};

    friend bool operator==(const body_runs&, const body_runs&) = default;
};

/// How many there were so far. Any thread may ask.
[[nodiscard]] body_runs runs_so_far() noexcept;

}  // namespace perfspec
