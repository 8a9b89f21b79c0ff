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

/// Whether positive values, at least eight, keep rising or falling in the order in which they were taken. They rise if
/// the median of each quarter is at least 15 % above that of the quarter before it, and the last at least `in_all`
/// times the first. They fall if they rise when read backwards.
///
/// This test has no error rate: neighbouring values are alike for reasons of the machine. In recorded noise, stretches
/// of 8 to 20 samples look like a trend in 6 of 48,000 cases for single-threaded code in the caches, and in 8 of 12,000
/// for 64 MiB. For two threads it is 4 of 12,000, where the values must rise fourfold (row N of tests/calibration).
[[nodiscard]] std::optional<trend> find_trend(std::span<const double> values, double in_all = 2.0);

}  // namespace perfspec
