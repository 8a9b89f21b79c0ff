// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include "exact_limits.hpp"

#include <boost/math/distributions/binomial.hpp>

namespace perfspec::testing {

double greatest_rate(std::size_t successes, std::size_t trials) {
    constexpr double missed = 0.05;
    return boost::math::binomial_distribution<>::find_upper_bound_on_p(static_cast<double>(trials),
                                                                       static_cast<double>(successes), missed);
}

}  // namespace perfspec::testing
