// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/sequential/sequential.hpp>

#include <cstddef>
#include <string_view>

namespace perfspec {

/// Where an undecided test is heading.
struct outlook {
    static constexpr std::string_view method = "linear extrapolation of the logarithm of the e-value";

    decision toward = decision::none;  ///< none: more differences will not decide the test within reach
    std::size_t further = 0;           ///< differences still needed at the present rate; 0 where `toward` is none
};

/// How many more differences a test needs if its evidence continues to grow at the rate so far.
///
/// reach  how many differences there can be at all, including those so far
///
/// The rate is log E / n, where n leaves out the differences that only prepared the test. It is an estimate from one
/// run, and on the low side: the price of mixing bets is paid in the first few differences. Where the evidence does not
/// grow, or not fast enough to arrive within reach, the test is reported as unresolved. A wider bound, a larger margin
/// or a quieter machine then helps, and more time does not. Where both sides grow, the one that arrives first is named.
/// A decided test needs 0 more.
[[nodiscard]] outlook extrapolate(const test_progress& test, std::size_t reach);

}  // namespace perfspec
