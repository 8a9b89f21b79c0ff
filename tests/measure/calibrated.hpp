// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/failure.hpp>

#include "acted_subject.hpp"

#include <chrono>
#include <stdexcept>

namespace perfspec::testing {

template <class F> measurement_failure failure_of(F calibrate) {
    try {
        calibrate();
    } catch (const measurement_failure& f) { return f; }
    throw std::logic_error("nothing was thrown");
}

/// Calibrates two bodies with these costs.
inline pair_calibration pair_of(std::chrono::nanoseconds a, std::chrono::nanoseconds b,
                                const measuring_settings& settings = {}) {
    stepped_clock time;
    role first{.time = &time, .call = a};
    role second{.time = &time, .call = b};
    return calibrate_pair(acted("a", first), acted("b", second), settings, {time, time});
}

inline block_calibration blocks_of(std::chrono::nanoseconds x, const measuring_settings& settings = {}) {
    stepped_clock time;
    role r{.time = &time, .call = x};
    return calibrate_blocks(acted("x", r), settings, {time, time});
}

/// As percentiles need them.
inline measuring_settings single_iterations() {
    measuring_settings s;
    s.samples = sample_kind::single;
    return s;
}

inline measuring_settings hard_budget(std::chrono::nanoseconds budget) {
    measuring_settings s;
    s.budget = s.cap = budget;
    return s;
}

}  // namespace perfspec::testing
