// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/plan/plan.hpp>

#include <chrono>
#include <cstdint>
#include <optional>

namespace perfspec {

/// stretches: the budget grows up to the cap for slow subjects. hard: it was given, and ends the measurement.
enum class budget_kind : std::uint8_t { stretches, hard };

/// batches: a sample lasts `sample_time`. single: it is one iteration, as percentiles need, which batches would average away. values: it is one
/// call and the number that the body returns; device_times: one call and the time that the device took for it.
enum class sample_kind : std::uint8_t { batches, single, values, device_times };

/// Whether a sample is what one call tells.
[[nodiscard]] constexpr bool is_reported(sample_kind k) noexcept { return k == sample_kind::values || k == sample_kind::device_times; }

/// What measuring takes from the plan, and from the clock that is read.
struct measuring_settings {
    std::chrono::nanoseconds sample_time{std::chrono::microseconds{100}};
    std::optional<std::uint32_t> iterations;                          ///< of a sample; nothing: from sample_time
    std::chrono::nanoseconds warmup{std::chrono::milliseconds{100}};  ///< no untimed sample begins later than this
    std::chrono::nanoseconds budget{std::chrono::seconds{1}};
    budget_kind limit{budget_kind::stretches};
    std::chrono::nanoseconds cap{std::chrono::seconds{120}};  ///< how far the budget stretches
    clock_facts metric_clock;
    sample_kind samples{sample_kind::batches};
    std::uint32_t block_iterations{100};  ///< of a block of single iterations
    std::uint32_t min_rounds{};           ///< that can show that a claim is violated; a budget in which they do not fit is too small

    /// The length of a sample that calibration aims at: sample_time, but no less than the shortest sample.
    [[nodiscard]] double sample_target_ns() const noexcept;
    /// The shortest sample that the clock tells to a hundredth: 100 readings of the clock, and 1000 of its ticks.
    [[nodiscard]] double shortest_sample_ns() const noexcept;
    /// What may be spent at all: the cap, or a given budget.
    [[nodiscard]] std::chrono::nanoseconds hard_limit() const noexcept;
};

/// `metric_clock` comes from `inspect`.
[[nodiscard]] measuring_settings settings_for(const plan& p, const clock_facts& metric_clock);

}  // namespace perfspec
