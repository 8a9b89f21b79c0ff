// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/plan/plan.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace perfspec {

/// stretches: the budget grows up to the cap for slow subjects. hard: the user gave the budget, and it ends the
/// measurement.
enum class budget_kind : std::uint8_t { stretches, hard };

/// What a sample is. batches: as many iterations as last `sample_time`. single: one iteration, for percentiles, which
/// batches would average away. values: one call, and the number that the body returns. device_times: one call, and the
/// time that the device took for it. kernel_times: one call, and the time that the device spent in some of its kernels.
enum class sample_kind : std::uint8_t { batches, single, values, device_times, kernel_times };

/// Whether a sample is a number that one call reports.
[[nodiscard]] constexpr bool is_reported(sample_kind k) noexcept {
    return k == sample_kind::values || k == sample_kind::device_times || k == sample_kind::kernel_times;
}

class device_recorder;

/// The kernels that a sample is of, and who sees them.
struct kernel_request {
    std::string name{};           ///< of these kernels, as `kernel_time` takes it; empty: all
    device_recorder* recorder{};  ///< null: this program has none

    friend bool operator==(const kernel_request&, const kernel_request&) = default;
};

/// The settings for measuring, from the plan and from the clock that is read.
struct measuring_settings {
    std::chrono::nanoseconds sample_time{std::chrono::microseconds{100}};
    std::optional<std::uint32_t> iterations;                          ///< per sample; nothing: from sample_time
    std::chrono::nanoseconds warmup{std::chrono::milliseconds{100}};  ///< no untimed sample begins later than this
    std::chrono::nanoseconds budget{std::chrono::seconds{1}};
    budget_kind limit{budget_kind::stretches};
    std::chrono::nanoseconds cap{std::chrono::seconds{120}};  ///< how far the budget stretches
    clock_facts metric_clock;
    sample_kind samples{sample_kind::batches};
    kernel_request kernels{};             ///< of kernel_times
    std::uint32_t block_iterations{100};  ///< of a block of single iterations
    bool asks_processes{};                ///< other processes take the samples, and wake up for each
    bool processes_take_turns{};          ///< of the subjects, some are in another process than others
    std::uint32_t
        min_rounds{};  ///< the fewest that can show a violation; a budget that does not hold them is too small

    /// The length of a sample that calibration aims at: sample_time, but no less than the shortest sample, and no less
    /// than 2 ms where other processes are asked: a processor that has slept until the request is slower for a part of
    /// the first millisecond.
    [[nodiscard]] double sample_target_ns() const noexcept;
    /// The longest call that a sample repeats before its clock starts, untimed: half a sample. Where processes take
    /// turns it is 10 ms, because one that has slept takes up to 0.1 ms longer for its first call, which is 1 % of
    /// that.
    [[nodiscard]] double longest_warm_call_ns() const noexcept;
    /// The shortest sample that the clock measures to one percent: 100 readings of the clock or 1000 of its ticks,
    /// whichever is longer.
    [[nodiscard]] double shortest_sample_ns() const noexcept;
    /// The longest time that may be spent: the cap, or a given budget.
    [[nodiscard]] std::chrono::nanoseconds hard_limit() const noexcept;
};

/// `metric_clock` comes from `inspect`.
[[nodiscard]] measuring_settings settings_for(const plan& p, const clock_facts& metric_clock);

namespace detail {

/// How a message names a subject: "\"sort 1M\"", or "the body" without a name.
[[nodiscard]] std::string subject_name(const subject& x);

}  // namespace detail

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
/// Only run and wait are between the readings. The warm call has an input of its own. A clock that needs several runs for
/// a reading gets them, each with its own input. Throws measurement_failure: refused, setup_threw, body_threw (with the
/// exception), clock_went_backwards for a negative difference. A difference of zero is valid.
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

/// The number that one call reports, of whatever kind. Throws as take_sample and that module do; not_countable where
/// there is none.
///
/// kernels  of kernel_times
[[nodiscard]] double take_reported(const subject& x, sample_kind what, const kernel_request& kernels = {});

/// Runs the subject's `load` where it has one and this process has not loaded it yet. The other functions here do so
/// before their first run. Throws measurement_failure as they do.
void ensure_loaded(const subject& x);

/// Runs the subject in the same steps without a clock, to warm up or because nobody times it.
void run_untimed(const subject& x, std::uint64_t iterations);

}  // namespace perfspec
