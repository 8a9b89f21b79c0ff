// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/median.hpp>

#include <algorithm>
#include <cstddef>

namespace perfspec::detail {

double middle_of(std::vector<double> readings) {
    const auto middle = readings.begin() + std::ssize(readings) / 2;
    std::nth_element(readings.begin(), middle, readings.end());
    if (readings.size() % 2 != 0) return *middle;
    return (*std::max_element(readings.begin(), middle) + *middle) / 2.0;
}

}  // namespace perfspec::detail
