// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/stored/stored_rank_test.hpp>

#include <cstddef>
#include <span>

namespace perfspec {

/// The rank test of launches on a machine that drifts between recording sessions. It says *holds* at the bounds, but
/// *violated* only beyond the bounds and an allowance. Launches that are beyond the bound and within the allowance stay
/// undecided.
///
/// Its rate of false failures is that of the rank test as long as the machine has drifted by no more than the
/// allowance, whatever else is true of the sessions. The rate of `drift_allowance` adds to it.
///
///     drifting_rank_test test(bounds, direction::less, 0.10);
///     while (test.is_open()) test.add(median_of_a_fresh_launch());
class drifting_rank_test {
public:
    /// allowance  a fraction, 0 or more; the other parameters and the errors are those of stored_rank_test
    drifting_rank_test(std::span<const double> bounds, direction claimed, double allowance, double margin = 0.005,
                       stored_rank_rates rates = {});

    /// The value of the next fresh launch.
    decision add(double launch);

    [[nodiscard]] decision decided() const noexcept;

    /// Whether more launches may change the decision.
    [[nodiscard]] bool is_open() const noexcept;
    [[nodiscard]] bool exhausted() const noexcept { return decided() == decision::none && !is_open(); }

    /// Whether the launches are beyond the bound, even if a drift could explain it.
    [[nodiscard]] bool is_beyond_bound() const noexcept { return at_bound_.decided() == decision::violated; }

    [[nodiscard]] std::size_t size() const noexcept { return launches_; }
    [[nodiscard]] std::size_t launches_to_violate() const noexcept { return beyond_.launches_to_violate(); }

private:
    stored_rank_test at_bound_;
    stored_rank_test beyond_;
    std::size_t launches_ = 0;
};

}  // namespace perfspec
