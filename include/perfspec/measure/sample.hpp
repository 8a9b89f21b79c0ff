// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/measure/machine/processor_use.hpp>
#include <perfspec/plan/plan.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace perfspec::inline v0_2 {

/// The kind of a sample. batches: iterations for `sample_time`. single: one iteration, for percentiles, which batches
/// would average away. values: a number of one call.
enum class sample_kind : std::uint8_t { batches, single, values };

class counters;

/// Reads the number of a call in a way of its own.
class call_reader : public seam {
public:
    /// Runs the subject once and returns its number. Throws as take_sample does.
    ///
    /// all  the counters and recorders of the process
    [[nodiscard]] virtual double read(const subject& x, counters& all) const = 0;
    /// The time in nanoseconds that reading adds to a call. It may run the subject.
    [[nodiscard]] virtual double cost_ns(const subject&, counters&, clock&) const { return 0.0; }
};

/// A reader with the counters of its process.
struct call_reading {
    const call_reader* reader{};  ///< null: the body returns the number
    counters* all{};

    friend bool operator==(const call_reading&, const call_reading&) = default;
};

/// The settings for measuring, from the plan and from the clock that is read.
struct measuring_settings {
    std::chrono::nanoseconds sample_time{std::chrono::microseconds{100}};
    std::optional<std::uint32_t> iterations;                          ///< per sample; nullopt: from sample_time
    std::chrono::nanoseconds warmup{std::chrono::milliseconds{100}};  ///< no untimed sample begins later
    std::chrono::nanoseconds budget{std::chrono::seconds{1}};
    std::chrono::nanoseconds cap{std::chrono::seconds{120}};  ///< how far the budget stretches for slow subjects
    clock_facts metric_clock;
    sample_kind samples{sample_kind::batches};
    call_reading values{};                ///< how values are read
    std::uint32_t block_iterations{100};  ///< of a block of single iterations
    bool samples_remotely{};              ///< other processes take the samples, and have to wake up
    bool processes_take_turns{};          ///< the subjects are in different processes
    std::uint32_t min_rounds{};           ///< the fewest for a violation; a smaller budget is an error

    /// The length of a sample that calibration aims at: sample_time, but at least the shortest sample, and at least 2
    /// ms in other processes, because a processor that wakes up is slower for a part of the first millisecond.
    [[nodiscard]] double sample_target_ns() const noexcept;
    /// The longest call with a warm call before its sample: half a sample. If processes take turns it is 10 ms, because
    /// the first call after a sleep takes up to 0.1 ms longer, which is 1 % of that.
    [[nodiscard]] double longest_warm_call_ns() const noexcept;
    /// The shortest sample that the clock measures to one percent: 100 readings of the clock or 1000 of its ticks, if
    /// that is longer.
    [[nodiscard]] double shortest_sample_ns() const noexcept;
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
    processor_use use{};  ///< in that time; zero unless the sample is a metered one

    /// Nanoseconds per iteration.
    [[nodiscard]] double per_iteration() const noexcept {
        return static_cast<double>(elapsed_ns) / static_cast<double>(iterations);
    }
    /// The same without interruptions.
    [[nodiscard]] working_time working() const noexcept {
        const working_time all = working_time_of(elapsed_ns, use);
        return {all.ns / static_cast<double>(iterations), all.is_exact};
    }

    friend bool operator==(const sample&, const sample&) = default;
};

/// Whether a sample follows an untimed call, which brings code and data back into the caches.
enum class warm_call : std::uint8_t { no, yes };

/// Takes one sample: warm call · prepare · clock · run, wait · clock · discard.
///
/// Only run and wait are between the readings. The warm call has an input of its own. A clock that needs several runs
/// for a reading gets them, each with its own input. Throws measurement_failure: refused, setup_threw, body_threw (with
/// the exception), clock_went_backwards for a negative difference. A difference of zero is valid.
[[nodiscard]] sample take_sample(const subject& x, std::uint64_t iterations, warm_call warm, clock& c);

/// The same for data that need a duration. Unless the clock is a counter, repeats a sample of zero, and throws
/// zero_duration at the third one.
[[nodiscard]] sample take_positive_sample(const subject& x, std::uint64_t iterations, warm_call warm, clock& c);

/// The same, and what the process used of the processors meanwhile, if the metric is wall time and there is a meter.
[[nodiscard]] sample take_metered_sample(const subject& x, std::uint64_t iterations, warm_call warm, const clocks& time,
                                         metered_waiting which);

/// Throws measurement_failure (no_value) for a body that returns no number.
void require_value(const subject& x);

/// Calls the body once and returns its number. Throws as take_sample does, and measurement_failure (no_value) for no
/// number, or one that is negative or not finite.
[[nodiscard]] double take_value(const subject& x);

/// The same in another way.
[[nodiscard]] double take_value(const subject& x, const call_reading& how);

/// Runs the subject's `load`, if it has one, once in this process. The other functions here do so before their first
/// run. Throws measurement_failure as they do.
void ensure_loaded(const subject& x);

/// Runs the subject in the steps of a sample, without a clock.
void run_untimed(const subject& x, std::uint64_t iterations);

/// The run of a body that goes on in this process.
struct current_run {
    std::uint64_t number{};       ///< 0: none goes on
    std::int64_t processor_ns{};  ///< of its thread so far
};
[[nodiscard]] current_run run_of_now() noexcept;

}  // namespace perfspec::inline v0_2
