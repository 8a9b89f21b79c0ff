// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/measure/measuring_settings.hpp>

#include <cstdint>
#include <string>

namespace perfspec::detail {

/// How a message names a subject: "\"sort 1M\"", or "the body" without a name.
[[nodiscard]] std::string subject_name(const subject& x);

}  // namespace perfspec::detail

namespace perfspec {

/// One timed reading of a batch of iterations. For a counter, `elapsed_ns` is the count.
struct sample {
    std::int64_t elapsed_ns{};
    std::uint64_t iterations{1};

    /// Nanoseconds per iteration.
    [[nodiscard]] double per_iteration() const noexcept {
        return static_cast<double>(elapsed_ns) / static_cast<double>(iterations);
    }

    friend bool operator==(const sample&, const sample&) = default;
};

/// Whether a sample follows an untimed call, which brings code and data back into the caches.
enum class warm_call : std::uint8_t { no, yes };

/// Takes one sample: the warm call if asked · prepare · clock · run, wait · clock · discard.
///
/// Only run and wait are between the readings. The warm call comes before prepare, because it needs its own input, and
/// discards it. The prepared input is discarded in every case. A clock that needs several runs for a reading gets them,
/// each with its own input. Throws measurement_failure: refused, setup_threw, body_threw (with the exception),
/// clock_went_backwards for a negative difference. A difference of zero is valid.
[[nodiscard]] sample take_sample(const subject& x, std::uint64_t iterations, warm_call warm, clock& c);

/// The same for data that need a duration. Unless the clock is a counter, a sample in which it did not advance is taken
/// again, and the third such sample throws zero_duration.
[[nodiscard]] sample take_positive_sample(const subject& x, std::uint64_t iterations, warm_call warm, clock& c);

/// Throws measurement_failure (no_value) for a body that returns no number.
void require_value(const subject& x);

/// Calls the body once and returns its number. Throws as take_sample does, and measurement_failure (no_value) where the
/// body returns no number, or one that is negative or not finite.
[[nodiscard]] double take_value(const subject& x);

/// The same for the device's own time, in nanoseconds. The subject must have one.
[[nodiscard]] double take_device_time(const subject& x);

/// How a module takes the nanoseconds that a device spends in kernels of one iteration; null until one sets it.
using kernel_timer = double (*)(const subject& x, const kernel_request& kernels);
[[nodiscard]] kernel_timer& known_kernel_timer() noexcept;
/// Takes them. Throws as take_sample and that module do; not_countable where there is none.
[[nodiscard]] double take_kernel_time(const subject& x, const kernel_request& kernels);

/// The number that one call reports, of whatever kind.
///
/// kernels  of kernel_times
[[nodiscard]] double take_reported(const subject& x, sample_kind what, const kernel_request& kernels = {});

/// Runs the subject's `load` where it has one and this process has not loaded it yet. The other functions here do so
/// before their first run. Throws measurement_failure as they do.
void ensure_loaded(const subject& x);

/// Runs the subject in the same steps without a clock, to warm up or because nobody times it.
void run_untimed(const subject& x, std::uint64_t iterations);

}  // namespace perfspec
