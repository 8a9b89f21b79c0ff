// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/body_checks.hpp>
#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/measure/sample.hpp>

#include <algorithm>
#include <cstdint>

namespace perfspec::inline v0_2 {

/// The most inputs of a sample, which are made before its clock starts; and the most time to make them (one always).
/// This limits the memory of the inputs and the time of a pair. Calibration obeys it; `iterations(n)` does not.
inline constexpr std::uint64_t max_inputs = 10'000;
inline constexpr double input_preparation_ns = 10e6;

/// The most iterations of a sample without inputs.
inline constexpr std::uint64_t unlimited_iterations = 1'000'000'000;

/// When a measurement began and how long it may take; by the wall clock.
struct time_budget {
    std::int64_t started_ns{};     ///< when calibration began; after the first calls of a worker
    std::int64_t calibrated_ns{};  ///< the time of calibration, including warm-up
    std::int64_t budget_ns{};      ///< from the start, including calibration
    std::int64_t starting_ns{};    ///< of the first calls of a worker, before the start

    [[nodiscard]] bool spent(std::int64_t now_ns) const noexcept { return now_ns - started_ns > budget_ns; }

    friend bool operator==(const time_budget&, const time_budget&) = default;
};

/// The budget of rounds that take `round_ns` each, calibration included; the default budget stretches for thirty.
/// Throws measurement_failure (too_slow) if ten do not fit into the hard limit.
[[nodiscard]] time_budget budget_of_rounds(std::int64_t started_ns, std::int64_t now_ns, double round_ns,
                                           const measuring_settings& settings);

/// The calibration of one subject.
struct subject_calibration {
    double call_ns{};             ///< one iteration, wall time without interruptions as far as is known
    double untimed_ns{};          ///< making and dropping the input of one iteration
    std::uint64_t iterations{1};  ///< of a sample
    /// Of a sample: limited by the making of inputs, and one if each call follows its own setup.
    std::uint64_t most_iterations{unlimited_iterations};
    first_call_times first{};  ///< if the first call did extra work
    bool computes{true};       ///< in one thread, without blocking
    double elapsed_ns{};       ///< one iteration with interruptions; 0: as without

    /// The expected wall time of a sample, with its inputs.
    [[nodiscard]] double sample_ns() const noexcept {
        return (std::max(call_ns, elapsed_ns) + untimed_ns) * static_cast<double>(iterations);
    }
    /// The waiting that its samples need.
    [[nodiscard]] metered_waiting metered() const noexcept {
        return computes ? metered_waiting::none : metered_waiting::of_all_threads;
    }

    friend bool operator==(const subject_calibration&, const subject_calibration&) = default;
};

/// The most iterations of a sample of x, if making and dropping an input takes `untimed_ns`.
[[nodiscard]] std::uint64_t max_iterations(const subject& x, double untimed_ns);

/// Runs x a few times, as calibrate_pair does, but without warming up. For a worker process. Throws as calibrate_pair
/// does.
[[nodiscard]] subject_calibration calibrate_calls(const subject& x, const measuring_settings& settings,
                                                  const clocks& time);

/// Whether the calls of two subjects are within this factor of each other.
[[nodiscard]] inline bool are_within(double factor, const subject_calibration& a,
                                     const subject_calibration& b) noexcept {
    return std::max(a.call_ns, b.call_ns) < factor * std::min(a.call_ns, b.call_ns);
}

/// Gives both subjects of a pair the same number of iterations, at most `maximum`, so that its slots are similar;
/// unless one call is 1.5 times as long, or a sample is one call with its own setup. At a larger factor, noise in the
/// first calls would decide between samples that differ as much, and with them the speed of a body.
void equalize(subject_calibration& a, subject_calibration& b, std::uint64_t maximum = unlimited_iterations);

/// Makes the samples of both subjects equally long, for bodies that block or work in several threads: an interrupted
/// sample of theirs does not count, and longer samples are interrupted more often.
void equalize_lengths(subject_calibration& a, subject_calibration& b);

/// Throws measurement_failure (too_short) if samples of this calibration are too short for the clock to measure to one
/// percent. The cost of reading the clock would be part of every time, and ratios would come closer to 1.
///
/// metric  the inspected clock; this function inspects it again before it throws
void require_long_samples(const subject& x, const subject_calibration& c, measuring_settings settings, clock& metric);

/// The calibration of pairs of a and b. tests/calibration validates it on recorded noise.
struct pair_calibration {
    subject_calibration a;
    subject_calibration b;
    warm_call warm{warm_call::no};
    double pair_ns{};  ///< expected wall time of one pair
    time_budget time;

    friend bool operator==(const pair_calibration&, const pair_calibration&) = default;
};

/// The default budget stretches for `target_pairs`. Claims need `min_pairs` within the hard limit.
inline constexpr int target_pairs = 30;
inline constexpr int min_pairs = 10;

/// The same for pairs of single iterations, which percentiles need.
inline constexpr int target_single_pairs = 2000;
inline constexpr int min_single_pairs = 1000;

/// Runs a and b a few times to calibrate pairs.
///
/// The first call of each is discarded: its time is part of the budget, except in other processes. Then the fastest of
/// three calls counts; a call of 50 ms or more is timed only once. Calls under a hundredth of the sample are timed in
/// batches. Samples last `sample_target_ns`. Subjects within a factor of 1.5 get the same number of iterations, so the
/// two slots of a pair are similar. A body with a setup has one call in a sample, if the clock can measure it. If calls
/// take up to half the target, a warm call precedes each sample. At the end, three untimed samples of each warm up,
/// while less than `warmup` has passed.
///
/// With sample_kind::single a sample is one iteration, without warm calls, and the budget stretches for 2000 pairs.
///
/// Throws measurement_failure: what take_sample throws; optimized_away; zero_duration for calls that take no time;
/// too_short for a sample that is too short for the clock. Throws too_slow if fewer than ten pairs fit (1000 of single
/// iterations, or `min_rounds` if that is more), with the time that they need.
[[nodiscard]] pair_calibration calibrate_pair(const subject& a, const subject& b, const measuring_settings& settings,
                                              const clocks& time);

/// The calibration of blocks of one subject.
struct block_calibration {
    subject_calibration x;  ///< a reading is a sample of `x.iterations`: one, unless a call is too short for the clock
    double block_ns{};      ///< expected wall time of one block
    std::uint32_t readings{};  ///< per block; 0: for 20 ms
    sample_kind samples{sample_kind::batches};
    int blocks{};  ///< that fit into the budget: at most `target_blocks`, or `min_rounds` if that is more
    time_budget time;
    call_reading values{};

    friend bool operator==(const block_calibration&, const block_calibration&) = default;
};

inline constexpr double block_length_ns = 20e6;
inline constexpr int target_blocks = 20;
inline constexpr int min_blocks = 10;

/// Runs x a few times, as calibrate_pair does, to calibrate blocks.
///
/// A block is consecutive readings for 20 ms, or one reading that takes longer. A reading is one call. If a call takes
/// less than 100 readings of the clock or 1000 of its ticks (1 us for a clock of nanoseconds), a reading is a batch of
/// `sample_target_ns`. With sample_kind::single a block is `block_iterations` readings of one call each. Throws as
/// calibrate_pair does; too_slow if fewer than ten blocks fit, or `min_rounds` if that is more.
[[nodiscard]] block_calibration calibrate_blocks(const subject& x, const measuring_settings& settings,
                                                 const clocks& time);

/// The calibration of samples of one subject in a process.
struct sample_calibration {
    subject_calibration x;
    warm_call warm{warm_call::no};
    std::int64_t started_ns{};

    friend bool operator==(const sample_calibration&, const sample_calibration&) = default;
};

/// Runs x a few times, as calibrate_pair does. It has no budget, because each process limits its own time. With
/// sample_kind::single samples are one iteration each, without warm calls between them.
[[nodiscard]] sample_calibration calibrate_samples(const subject& x, const measuring_settings& settings,
                                                   const clocks& time);

}  // namespace perfspec::inline v0_2
