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

/// The side of the bound on which a claim says that the value is: less for times, more for rates and speedups.
enum class direction : std::uint8_t { less, more };

/// How often the test may be wrong where stored and fresh launches are exchangeable: for `violated` at the bound, for
/// `holds` at the bound moved by the margin.
struct stored_rank_rates {
    double violated = 0.001;
    double holds = 0.05;
};

/// A look after this many fresh launches. The test decides where a rank sum is at most its limit. A limit of -1 means
/// that the test does not look for this decision here, or that no sum is small enough.
struct stored_rank_look {
    std::size_t launches;
    std::int64_t violated;
    std::int64_t holds;
};

/// Exact rank test of up to twenty fresh launches against ten to forty stored ones.
///
/// Only ranks count, so `1.05 * baseline()` and `baseline() + 2ms` are the same test: the caller applies the claim's
/// increasing function to every stored value. The rank sum U at the bound decides *violated* after the fifth, tenth and
/// twentieth fresh launch. The rank sum V at the bound moved by the margin decides *holds* after the second, third,
/// fifth, tenth and twentieth. Violated is checked first.
///
/// Each look has a share of the rate. Its limit is the largest rank sum within that share, by the exact distribution of
/// Mann and Whitney (1947). A share that no sum uses up is left to the next look. So all looks together are at most the
/// rate (union bound), wherever the caller stops.
///
///     stored_rank_test test(bounds, direction::less);       // 1.05 * each stored median
///     while (test.decided() == decision::none && !test.exhausted()) test.add(median_of_a_fresh_launch());
class stored_rank_test {
public:
    static constexpr std::string_view method = "exact rank test of fresh launches against stored ones";
    static constexpr std::size_t min_stored = 10;
    static constexpr std::size_t max_stored = 40;
    static constexpr std::size_t max_launches = 20;

    /// Whether this many stored launches can be judged; fewer make the claim *invalid*.
    [[nodiscard]] static constexpr bool can_judge(std::size_t stored) noexcept {
        return stored >= min_stored && stored <= max_stored;
    }

    /// bounds  the claim's function of each stored launch, in the unit of the new ones, in any order
    /// margin  as a fraction of the new launch's value
    /// Throws input_error where can_judge is false, for a bound that is not finite, a margin that is negative or not
    /// finite, or a rate that is not a probability.
    stored_rank_test(std::span<const double> bounds, direction claimed, double margin = 0.005,
                     stored_rank_rates rates = {});

    /// The value of the next fresh launch. A decision stays: values after it, or after the twentieth, are ignored.
    /// Throws input_error for a value that is negative or not finite.
    decision add(double launch);

    [[nodiscard]] decision decided() const noexcept { return decided_; }

    /// Launches that counted.
    [[nodiscard]] std::size_t size() const noexcept { return launches_; }

    /// True after twenty launches without a decision.
    [[nodiscard]] bool exhausted() const noexcept { return launches_ == max_launches && decided_ == decision::none; }

    /// With fewer launches nothing can be found violated.
    [[nodiscard]] std::size_t launches_to_violate() const noexcept;

    /// How many stored bounds a fresh launch keeps within, summed over the launches; ties count a half. A small sum
    /// decides *violated*.
    [[nodiscard]] double u() const noexcept { return u_; }

    /// How many stored bounds a fresh launch exceeds even with the margin, summed likewise. A small sum decides
    /// *holds*.
    [[nodiscard]] double v() const noexcept { return v_; }

    /// The looks of the test and their limits.
    [[nodiscard]] std::span<const stored_rank_look> looks() const noexcept { return looks_; }

private:
    [[nodiscard]] decision look() const noexcept;

    std::vector<double> bounds_;
    direction claimed_;
    double margin_;
    std::vector<stored_rank_look> looks_;
    double u_ = 0;
    double v_ = 0;
    std::size_t launches_ = 0;
    decision decided_ = decision::none;
};

}  // namespace perfspec
