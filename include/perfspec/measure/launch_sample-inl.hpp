// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/calibration-inl.hpp>
#include <perfspec/measure/launch_sample.hpp>
#include <perfspec/measure/median.hpp>

namespace perfspec {

namespace detail {

/// Throws measurement_failure (too_slow) where `min_samples` do not fit, before any time is spent on them.
inline void require_room(const sample_calibration& c, std::int64_t now_ns, const launch_limits& limits,
                         const measuring_settings& settings) {
    if (limits.min_samples <= 1) return;
    const demand wanted{"single iterations", sample_ns(c.x), static_cast<int>(limits.min_samples),
                        static_cast<int>(limits.min_samples)};
    static_cast<void>(budget_for(c.started_ns, now_ns, wanted, settings));
}

}  // namespace detail

launch_times measure_launch(const subject& x, const measuring_settings& settings, const clocks& time,
                            const launch_limits& limits) {
    launch_times launch;
    launch.calibration = calibrate_samples(x, settings, time);
    const std::int64_t start = time.wall.now();
    detail::require_room(launch.calibration, start, limits, settings);
    std::int64_t elapsed = 0;
    do {
        const sample taken =
            take_positive_sample(x, launch.calibration.x.iterations, launch.calibration.warm, time.metric);
        launch.samples_ns.push_back(taken.per_iteration());
        elapsed = time.wall.now() - start;
    } while ((elapsed < limits.at_most.count() || launch.samples_ns.size() < limits.min_samples) &&
             (launch.samples_ns.size() < limits.samples || elapsed < limits.at_least.count()));
    launch.median_ns = detail::middle_of(launch.samples_ns);
    return launch;
}

std::vector<double> launch_pairs::log_ratios() const {
    std::vector<double> ratios;
    ratios.reserve(pairs.size());
    for (const timed_pair& pair : pairs) ratios.push_back(pair.log_ratio());
    return ratios;
}

launch_pairs measure_launch(const subject& a, const subject& b, const measuring_settings& settings, std::uint64_t seed,
                            const clocks& time) {
    launch_pairs launch;
    launch.calibration = calibrate_pair(a, b, settings, time);
    pair_source source(a, b, launch.calibration, seed, time);
    for (int i = 0; i < target_pairs; ++i) {
        if (i >= min_pairs && launch.calibration.time.spent(time.wall.now())) break;
        launch.pairs.push_back(source.next());
    }
    return launch;
}

}  // namespace perfspec
