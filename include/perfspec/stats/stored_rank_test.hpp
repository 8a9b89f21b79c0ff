// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/stats/sequential/sequential.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace perfspec {

/// Which side of the bound a claim says that the value lies on: less for times, more for rates and speedups.
enum class direction : std::uint8_t { less, more };

/// Of how many claims about one value this one is: the two of a tolerance share one rate of false failures.
enum class claim_sides : std::uint8_t { one, two };

/// The exact probabilities of the rank test where stored and new launches are exchangeable at the bound.
struct stored_rank_rates {
    double violated = 0;
    double holds = 0;
};

/// The rank sums up to which the test decides, for one number of stored launches.
struct stored_rank_limits {
    std::size_t stored;
    double violated_at_4, violated_at_5;
    double holds_at_2, holds_at_3, holds_at_5;
    stored_rank_rates exact;
};

/// Exact rank test of up to five fresh launches against ten to twenty stored ones.
///
/// Only ranks count, so that `1.05 * baseline()` and `baseline() + 2ms` are the same test: the caller applies the
/// claim's increasing function to every stored value. After the fourth and fifth launch the rank sum U of the new ones
/// beyond the bound decides *violated*; after the second, third and fifth the rank sum V inside the bound moved by the
/// margin decides *holds*, looked at second.
///
///     stored_rank_test test(bounds, direction::less);       // 1.05 * each stored median
///     while (test.decided() == decision::none && !test.exhausted()) test.add(median_of_a_fresh_launch());
class stored_rank_test {
public:
    static constexpr std::string_view method = "exact rank test of fresh launches against stored ones";
    static constexpr std::size_t min_stored = 10;
    static constexpr std::size_t max_stored = 20;
    static constexpr std::size_t max_launches = 5;

    /// Whether so many stored launches can be judged; fewer make the claim *invalid*, of more the newest twenty count.
    [[nodiscard]] static constexpr bool can_judge(std::size_t stored) noexcept { return stored >= min_stored && stored <= max_stored; }

    /// bounds  the claim's function of each stored launch, in the unit of the new ones, in any order
    /// margin  as a fraction of the new launch's value
    /// sides   of two, each is violated half as often at exchangeability
    /// Throws input_error where can_judge says no, for a bound that is not finite, or a margin that is negative or not
    /// finite.
    stored_rank_test(std::span<const double> bounds, direction claimed, double margin = 0.005, claim_sides sides = claim_sides::one);

    /// The value of the next fresh launch. A decision stays: what is added after it, or after the fifth, is ignored.
    /// Throws input_error for a value that is negative or not finite.
    decision add(double launch);

    [[nodiscard]] decision decided() const noexcept { return decided_; }

    /// Launches that counted.
    [[nodiscard]] std::size_t size() const noexcept { return launches_; }

    /// True after five launches without a decision.
    [[nodiscard]] bool exhausted() const noexcept { return launches_ == max_launches && decided_ == decision::none; }

    /// Stored bounds that the new launches keep within, summed over the launches; ties count a half. Small: violated.
    [[nodiscard]] double u() const noexcept { return u_; }

    /// Stored bounds that the new launches exceed even with the margin, summed likewise. Small: holds.
    [[nodiscard]] double v() const noexcept { return v_; }

    /// The row of the table in use, with the exact rates of the test.
    [[nodiscard]] const stored_rank_limits& limits() const noexcept { return *limits_; }

private:
    [[nodiscard]] decision look() const noexcept;

    std::vector<double> bounds_;
    direction claimed_;
    double margin_;
    const stored_rank_limits* limits_;
    double u_ = 0;
    double v_ = 0;
    std::size_t launches_ = 0;
    decision decided_ = decision::none;
};

}  // namespace perfspec
