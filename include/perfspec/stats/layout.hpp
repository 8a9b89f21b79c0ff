// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace perfspec {

/// How much of the difference between processes comes from where code, stack and heap lie in memory.
///
/// Spreads are robust standard deviations of logarithms (`spread_of`). Layouts and everything else differ independently, so that their variances add:
/// what drawn layouts spread beyond one layout is theirs (Curtsinger and Berger, "Stabilizer", ASPLOS 2013, draw layouts for the same reason).
struct layout_effect {
    static constexpr std::string_view method =
        "spread of processes with drawn layouts against that of processes with one; exact rank-sum test of the distances from their medians";

    std::size_t processes{};  ///< of each kind
    std::size_t builds{1};    ///< programs of other link orders among those with drawn layouts, this one included
    double same{};            ///< spread of processes with one layout, as a fraction
    double drawn{};           ///< spread of processes with drawn layouts
    double moves{};           ///< two standard deviations of what layouts add: about 95 % of them move the value by less; a fraction
    bool is_seen{};           ///< whether drawn layouts differ more than one layout does, at the rate `layout_false_alarm`
    double seconds{};         ///< what finding out took
};

namespace detail {

/// How often layouts that move nothing are said to move something. Distances from medians of their own are only nearly exchangeable: of normal
/// logarithms it is less (tests/stats/layout_test.cpp).
inline constexpr double layout_false_alarm = 0.05;

/// Fewer processes of each kind say little of a spread, and the exact distribution is known up to twenty.
inline constexpr std::size_t min_processes_of_a_layout = 10;
inline constexpr std::size_t max_processes_of_a_layout = 20;

/// same, drawn  positive values of 10 to 20 processes each. Throws input_error for other sizes, and for a value that is not finite and positive.
///
///     const layout_effect e = effect_of_layout(one_layout_ns, drawn_layouts_ns);
///     e.is_seen && e.moves > 0.02   // layouts move it by 2 % and more
[[nodiscard]] layout_effect effect_of_layout(std::span<const double> same, std::span<const double> drawn);

/// Whether layouts that are seen to move the value move it by more than it lies from the bound.
///
/// value, bound  positive, in one unit
[[nodiscard]] bool may_be_layout(const layout_effect& effect, double value, double bound);

}  // namespace detail
}  // namespace perfspec
