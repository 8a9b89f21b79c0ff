// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace perfspec {

/// A centre and the values that the evidence does not exclude.
struct centre_interval {
    static constexpr std::string_view method =
        "Hodges-Lehmann centre; values whose e-processes stay below the threshold";

    /// With fewer differences the default threshold excludes nothing, whatever their values.
    static constexpr std::size_t minimum = 8;

    double low = 0;     ///< minus infinity where there are too few differences to exclude anything
    double centre = 0;  ///< Hodges-Lehmann
    double high = 0;    ///< plus infinity in the same case
    double level = 0;   ///< guaranteed at every number of differences at once: 1 - 2 / threshold
};

/// The Hodges-Lehmann centre and {theta : both e-processes of (differences - theta) are below the threshold}.
///
/// differences  in the order of measurement, which the e-process depends on; at least `centre_interval::minimum` before
/// the default
///              threshold can exclude anything
/// threshold    above 2; 40 guarantees 95 % for random pairs, 1/40 a side, and covered 99 % where it was calibrated
/// returns      the ends, found by bisection towards the centre to one part in a million of their distance from it and
/// rounded outward. An
///              end is the centre itself where the evidence excludes the centre on that side.
/// Throws input_error for no differences, one that is not finite, or a threshold of 2 or less.
[[nodiscard]] centre_interval evidence_interval(std::span<const double> differences, double threshold = 40);

}  // namespace perfspec
