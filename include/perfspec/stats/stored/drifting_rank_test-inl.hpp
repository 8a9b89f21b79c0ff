// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/stored/drifting_rank_test.hpp>

#include <algorithm>
#include <vector>

namespace perfspec {

namespace detail {

/// Bounds moved to the side that the claim forbids.
[[nodiscard]] inline std::vector<double> moved_outward(std::span<const double> bounds, direction claimed,
                                                       double allowance) {
    std::vector<double> moved(bounds.begin(), bounds.end());
    for (double& b : moved) b = claimed == direction::less ? b * (1 + allowance) : b / (1 + allowance);
    return moved;
}

}  // namespace detail

drifting_rank_test::drifting_rank_test(std::span<const double> bounds, direction claimed, double allowance,
                                       double margin, stored_rank_rates rates)
    : at_bound_(bounds, claimed, margin, rates),
      beyond_(detail::moved_outward(bounds, claimed, allowance), claimed, margin, rates) {}

decision drifting_rank_test::add(double launch) {
    at_bound_.add(launch);
    beyond_.add(launch);
    ++launches_;
    return decided();
}

decision drifting_rank_test::decided() const noexcept {
    if (at_bound_.decided() == decision::holds) return decision::holds;
    return beyond_.decided() == decision::violated ? decision::violated : decision::none;
}

bool drifting_rank_test::is_open() const noexcept {
    const bool is_within_allowance = is_beyond_bound() && beyond_.decided() == decision::holds;
    return decided() == decision::none && !is_within_allowance && launches_ < stored_rank_test::max_launches;
}

}  // namespace perfspec
