// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "results.hpp"

#include <cstdint>
#include <optional>

namespace perfspec::tool {

/// The changes beyond a threshold that count.
enum class counted_changes : std::uint8_t {
    worse,  ///< `--worse`: those on the worse side. A key that only the later run has is told, and does not count
    any,    ///< `--change`: those on either side. Each key of either run must have something to compare with
};

struct change_threshold {
    double fraction{};  ///< 0.07 is 7 %
    counted_changes counts{counted_changes::worse};
    double max_undecided{};  ///< the share of the compared keys whose interval may hide a change by a factor of two on a side that counts
};

/// Compares the measured values of two runs, key by key. In each file the last result of a key with a measured value counts.
///
/// The interval of a change comes from the ends of both estimates, so it is wider than either. It is open where one of them is.
///
/// The code is `violated` where a whole interval is beyond the threshold on a side that counts; else `undecided` where more keys than
/// allowed have an interval that shows nothing there: it is open, or holds a change by a factor of two. It is `unusable` where a key has nothing to compare with, or nothing was
/// compared. Without a threshold, the code is always `holds`.
[[nodiscard]] outcome compare(const results& before, const results& after, std::optional<change_threshold> threshold);

}  // namespace perfspec::tool
