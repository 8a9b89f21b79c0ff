// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/p_value.hpp>

#include <algorithm>
#include <cmath>

namespace perfspec {

double p_value_bound(double log_e) {
    if (std::isnan(log_e))
        throw input_error("p_value_bound: found no number, needs the logarithm of an e-value such as 3.45");
    return std::exp(-std::max(log_e, 0.0));
}

}  // namespace perfspec
