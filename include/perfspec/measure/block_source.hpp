// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/measure/machine/sleeper.hpp>

#include <cstdint>
#include <vector>

namespace perfspec {

/// The readings of one block in the order taken: nanoseconds per iteration, or the number that the body reports.
struct timed_block {
    double median_ns{};
    std::vector<double> readings_ns;

    friend bool operator==(const timed_block&, const timed_block&) = default;
};

/// Takes blocks at equal distances over the budget and idles between them. Blocks without a pause would all see the
/// same state of the machine. After the last planned block it continues at the same distance.
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
