// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/measure/pair_source.hpp>

#include <chrono>
#include <cstdint>
#include <vector>

namespace perfspec {

/// How long one launch measures: until there are `samples` and `at_least` has passed, but no longer than `at_most` once
/// there are `min_samples`. Calibration does not count. Samples of only a few milliseconds would show one momentary
/// state of the machine. Fewer than `min_samples` say nothing.
struct launch_limits {
    std::uint32_t samples{30};
    std::chrono::nanoseconds at_least{std::chrono::milliseconds{100}};
    std::chrono::nanoseconds at_most{std::chrono::seconds{1}};
    std::uint32_t min_samples{1};
};

/// The samples of one subject in one launch, in nanoseconds per iteration; at least one. The launch's value is their
/// median.
struct launch_times {
    double median_ns{};
    std::vector<double> samples_ns;
    sample_calibration calibration;
};

/// Measures one subject for a stored baseline. Throws measurement_failure: what take_sample throws; zero_duration;
/// too_slow where `min_samples` do not fit into the hard limit, with the time that they need.
[[nodiscard]] launch_times measure_launch(const subject& x, const measuring_settings& settings, const clocks& time,
                                          const launch_limits& limits = {});

/// The pairs of one launch; its value is exp of the Hodges-Lehmann centre of their logarithmic ratios.
struct launch_pairs {
    std::vector<timed_pair> pairs;
    pair_calibration calibration;

    [[nodiscard]] std::vector<double> log_ratios() const;
};

/// Measures a and b in 30 pairs of random order, or as many as the budget holds (ten at least, else too_slow).
[[nodiscard]] launch_pairs measure_launch(const subject& a, const subject& b, const measuring_settings& settings,
                                          std::uint64_t seed, const clocks& time);

}  // namespace perfspec
