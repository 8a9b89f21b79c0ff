// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/coin.hpp>
#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/measure/sample.hpp>

#include <cstdint>

namespace perfspec {

/// Which side of a pair was run first.
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

/// Takes pairs. One toss of a coin decides the order of each. The order does not depend on the time, and not on earlier
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
    coin coin_;
    clocks time_;
};

}  // namespace perfspec
