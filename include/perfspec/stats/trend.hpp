// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <span>

namespace perfspec {

/// The medians of the first and of the last quarter of values.
struct trend {
    double first{};
    double last{};

    friend bool operator==(const trend&, const trend&) = default;
};

/// Whether positive values, eight at least, go on rising, or falling, in the order in which they were taken: the median of each quarter is 15 % above
/// that of the quarter before it, and the last is `in_all` times the first; or the same backwards.
///
/// No test with a rate: neighbouring values are alike for reasons of the machine. Of stretches of 8 to 20 samples of recorded noise, 6 of 48,000 look so
/// for single-threaded code in the caches, and 8 of 12,000 for 64 MiB; of two threads 4 of 12,000 do where they have to rise fourfold (row N of
/// tests/calibration).
[[nodiscard]] std::optional<trend> find_trend(std::span<const double> values, double in_all = 2.0);

}  // namespace perfspec
