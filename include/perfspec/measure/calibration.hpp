// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/body_checks.hpp>
#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/measure/sample.hpp>

#include <cstdint>

namespace perfspec {

/// A sample of a subject with a setup holds its inputs, which are made before the clock starts. It holds at most this
/// many, and at most as many as can be made in this time (one always). This bounds the memory of the inputs and the
/// time of a pair. Calibration obeys it; `iterations(n)` does not.
inline constexpr std::uint64_t max_inputs_held = 10'000;
inline constexpr double input_preparation_ns = 10e6;

/// When a measurement began and how long it may take; readings of the wall clock and differences of them.
struct time_budget {
    std::int64_t started_ns{};     ///< when calibration began; after the first calls, where a worker runs them
    std::int64_t calibrated_ns{};  ///< how long it took, warm-up included
    std::int64_t budget_ns{};      ///< counted from the start: calibration is part of it
    std::int64_t starting_ns{};    ///< before the start, for the first calls of a worker

    [[nodiscard]] bool spent(std::int64_t now_ns) const noexcept { return now_ns - started_ns > budget_ns; }

    friend bool operator==(const time_budget&, const time_budget&) = default;
};

/// The budget of rounds that take `round_ns` each, calibration included; the default budget stretches for thirty.
/// Throws measurement_failure (too_slow) where ten do not fit into the hard limit.
[[nodiscard]] time_budget budget_of_rounds(std::int64_t started_ns, std::int64_t now_ns, double round_ns,
                                           const measuring_settings& settings);

/// How one subject is sampled.
struct subject_calibration {
    double call_ns{};             ///< one iteration, wall time
    double untimed_ns{};          ///< making and dropping the input of one iteration
    std::uint64_t iterations{1};  ///< of a sample
    first_call_times first{};     ///< where the first call did work that later ones do not
    bool in_parallel{};           ///< a tenth of a call's work at least is that of other threads

    friend bool operator==(const subject_calibration&, const subject_calibration&) = default;
};

/// The most iterations that a sample of x may have, if making and dropping an input takes so long.
[[nodiscard]] std::uint64_t max_iterations(const subject& x, double untimed_ns);

/// Runs x a few times, as calibrate_pair does, but without warming up. For a process that runs what another one asks
/// for. Throws as calibrate_pair does.
[[nodiscard]] subject_calibration calibrate_calls(const subject& x, const measuring_settings& settings,
                                                  const clocks& time);

/// Makes the two slots of a pair alike where the calls are within a factor of four: both get the same number of
/// iterations, at most `maximum`.
void equalise(subject_calibration& a, subject_calibration& b, std::uint64_t maximum);

/// Throws measurement_failure (too_short) where samples of this calibration are too short for the clock to measure to
/// one percent. The cost of reading the clock would be part of every time, and ratios would come closer to 1.
///
/// metric  the clock that was inspected; it is inspected again before this throws
void require_long_samples(const subject& x, const subject_calibration& c, measuring_settings settings, clock& metric);

/// How pairs of a and b are taken. The procedure is calibrated on recorded noise in tests/calibration.
struct pair_calibration {
    subject_calibration a;
    subject_calibration b;
    warm_call warm{warm_call::no};
    double pair_ns{};  ///< expected wall time of one pair
    time_budget time;

    friend bool operator==(const pair_calibration&, const pair_calibration&) = default;
};

/// The default budget stretches for `target_pairs`. Where fewer than `min_pairs` fit into the hard limit, nothing can
/// be judged.
inline constexpr int target_pairs = 30;
inline constexpr int min_pairs = 10;

/// The same for pairs of single iterations, which percentiles need.
inline constexpr int target_single_pairs = 2000;
inline constexpr int min_single_pairs = 1000;

/// Runs a and b a few times and settles how pairs are taken.
///
/// The first call of each is discarded: its time is part of the budget, unless other processes are asked. Then the
/// fastest of three calls counts; a call of 50 ms or more is timed only once. Calls under a hundredth of the sample are
/// timed in batches. Samples last `sample_target_ns`. Subjects within a factor of four get the same number of iterations,
/// so the two slots of a pair are alike. Where calls take up to half the target, a warm call precedes each sample. Last
/// come three untimed samples of each, while less than `warmup` has passed.
///
/// With sample_kind::single a sample is one iteration, without warm calls, and the budget stretches for 2000 pairs.
///
/// Throws measurement_failure: what take_sample throws; optimised_away; zero_duration for calls that take no time;
/// too_short for a sample that is too short for the clock. Throws too_slow where fewer than ten pairs fit (1000 of
/// single iterations, or `min_rounds` if that is more), with the time that they need.
[[nodiscard]] pair_calibration calibrate_pair(const subject& a, const subject& b, const measuring_settings& settings,
                                              const clocks& time);

/// How blocks of one subject are taken.
struct block_calibration {
    subject_calibration x;  ///< a reading is a sample of `x.iterations`: one, unless a call is too short for the clock
    double block_ns{};      ///< expected wall time of one block
    std::uint32_t readings{};  ///< per block; 0: as many as 20 ms hold
    sample_kind samples{sample_kind::batches};
    int blocks{};  ///< that fit into the budget: at most `target_blocks`, or `min_rounds` if that is more
    time_budget time;
    kernel_request kernels{};  ///< of kernel_times

    friend bool operator==(const block_calibration&, const block_calibration&) = default;
};

inline constexpr double block_length_ns = 20e6;
inline constexpr int target_blocks = 20;
inline constexpr int min_blocks = 10;

/// Runs x a few times, as calibrate_pair does, and settles how blocks are taken.
///
/// A block is consecutive readings for 20 ms, or one reading that takes longer. A reading is one call. Where a call
/// takes less than 100 readings of the clock or 1000 of its ticks (1 us for a clock of nanoseconds), a reading is a
/// batch of `sample_target_ns`. With sample_kind::single a block is `block_iterations` readings of one call each.
/// Throws as calibrate_pair does; too_slow where fewer than ten blocks fit, or `min_rounds` if that is more.
[[nodiscard]] block_calibration calibrate_blocks(const subject& x, const measuring_settings& settings,
                                                 const clocks& time);

/// How samples of one subject are taken in a launch.
struct sample_calibration {
    subject_calibration x;
    warm_call warm{warm_call::no};
    std::int64_t started_ns{};

    friend bool operator==(const sample_calibration&, const sample_calibration&) = default;
};

/// Runs x a few times, as calibrate_pair does. It has no budget, because a launch limits itself. With
/// sample_kind::single samples are one iteration each, without warm calls between them.
[[nodiscard]] sample_calibration calibrate_samples(const subject& x, const measuring_settings& settings,
                                                   const clocks& time);

}  // namespace perfspec
