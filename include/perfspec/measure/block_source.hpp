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

namespace perfspec {

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

    /// log(time of a / time of b), per iteration.
    [[nodiscard]] double log_ratio() const noexcept;

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
    [[nodiscard]] sample take(const subject& x, std::uint64_t iterations);

    subject a_;
    subject b_;
    pair_calibration calibration_;
    random_order random_order_;
    clocks time_;
};

/// A reading without the waiting for a processor, in nanoseconds per iteration.
struct working_time {
    double ns{};
    bool is_exact{};  ///< otherwise a lower limit: the waiting may overlap, or lie outside the reading

    friend bool operator==(const working_time&, const working_time&) = default;
};

/// A sample, in nanoseconds per iteration.
struct working_sample {
    double ns{};
    working_time working{};  ///< equal to the sample if the process waited for at most 1 % of it
};

/// Takes a sample, and measures how long the process waited in it. Throws as take_positive_sample does.
[[nodiscard]] working_sample take_working_sample(const subject& x, std::uint64_t iterations, warm_call warm,
                                                 const clocks& time);

/// The readings of one block in the order taken: nanoseconds per iteration, or the number that the body reports.
struct timed_block {
    std::vector<double> readings_ns;
    /// For each reading; equal to the reading if the process waited for at most 1 % of it, or of the 100 us around a
    /// shorter one. May be empty if it never waited for more.
    std::vector<working_time> working{};

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
    [[nodiscard]] double reading();

    subject x_;
    block_calibration calibration_;
    double distance_ns_;
    std::uint64_t taken_{};
    clocks time_;
    sleeper* rest_;
    std::vector<double> buffer_;
};

}  // namespace perfspec
