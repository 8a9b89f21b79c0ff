// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/sequential.hpp>

#include <span>

namespace perfspec::testing {

/// Runs the test on a series, from its first distance to the decision or the end.
[[nodiscard]] inline sequential replay(std::span<const double> distances, const sequential_settings& settings = {}) {
    sequential test(settings);
    for (const double distance : distances) test.add(distance);
    return test;
}

}  // namespace perfspec::testing
