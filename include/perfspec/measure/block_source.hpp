// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/measure/sample.hpp>

#include <cstdint>
#include <random>
#include <vector>

namespace perfspec::inline v0_2 {

/// A fresh seed from the operating system. It is below 2^32, so `seed(n)` can repeat it.
[[nodiscard]] std::uint64_t fresh_seed();

/// A fair coin with a seed: mt19937_64, one draw per next(). It does not depend on times or data. This makes the error
/// levels of pairs exact for any noise (stats/README.md, "Pairs"; calibrated in tests/calibration).
class random_order {
public:
    explicit random_order(std::uint64_t seed) : engine_(seed) {}

    // Takes the highest bit of one draw. A standard distribution is no option: each library may use its own algorithm.
    [[nodiscard]] bool next() { return (engine_() >> 63U) != 0; }

private:
    std::mt19937_64 engine_;
};

/// Which side of a pair ran first.
enum class pair_order : std::uint8_t { a_first, b_first };

/// One sample of a and one of b, taken one after the other in a random order. Times are positive; counts may be zero.
struct timed_pair {
    sample a;
    sample b;
    pair_order order{pair_order::a_first};

    /// log(time of a / time of b), per iteration and without interruptions.
    [[nodiscard]] double log_ratio() const noexcept;
    /// Whether both times without interruptions are known; otherwise the pair is no evidence.
    [[nodiscard]] bool counts() const noexcept { return a.working().is_exact && b.working().is_exact; }

    friend bool operator==(const timed_pair&, const timed_pair&) = default;
};

/// Takes pairs. A random_order decides the order of each. The order does not depend on the time or on earlier
/// measurements.
///
///     pair_source pairs(a, b, calibrate_pair(a, b, settings, time), seed, time);
///     while (!enough) use(pairs.next().log_ratio());
class pair_source {
public:
    pair_source(const subject& a, const subject& b, const pair_calibration& calibration, std::uint64_t seed,
                const clocks& time);

    /// Throws measurement_failure: what take_sample throws, and zero_duration for a sample in which the clock did not
    /// advance.
    [[nodiscard]] timed_pair next();

private:
    [[nodiscard]] sample take(const subject& x, const subject_calibration& c);

    subject a_;
    subject b_;
    pair_calibration calibration_;
    random_order random_order_;
    clocks time_;
};

/// The readings of one block in the order taken: nanoseconds per iteration, or the number that the body reports.
struct timed_block {
    std::vector<double> readings_ns;
    /// For each reading, without interruptions; equal to the reading if there were none. May be empty if there were
    /// none in the block.
    std::vector<working_time> working{};
    double processor_ns{};  ///< work of all threads in an iteration, on average; 0: unknown

    friend bool operator==(const timed_block&, const timed_block&) = default;
};

/// Takes blocks at equal distances over the budget and idles between them. Without pauses, all blocks would see one
/// state of the machine. After the last planned block it continues at the same distance.
class block_source {
public:
    /// References in `time` and `rest` must outlive the source.
    block_source(const subject& x, const block_calibration& calibration, const clocks& time, sleeper& rest);

    /// Throws measurement_failure: what take_sample throws, and zero_duration for a reading in which the clock did not
    /// advance.
    [[nodiscard]] timed_block next();

private:
    void wait_for_turn();

    subject x_;
    block_calibration calibration_;
    double distance_ns_;
    std::uint64_t taken_{};
    clocks time_;
    sleeper* rest_;
    std::vector<double> buffer_;
};

}  // namespace perfspec::inline v0_2
