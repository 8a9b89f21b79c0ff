// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

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

}  // namespace perfspec
