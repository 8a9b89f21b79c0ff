// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace perfspec {

/// How much of the difference between processes comes from the place of code, stack and heap in memory.
///
/// Spreads are robust standard deviations of logarithms (`spread_of`). Layouts vary independently of everything else, so the variances add.
/// What drawn layouts spread more than one layout is due to the layouts (Curtsinger and Berger, "Stabilizer", ASPLOS 2013, draw layouts for
/// the same reason).
struct layout_effect {
    static constexpr std::string_view method =
        "spread of processes with drawn layouts against that of processes with one; exact rank-sum test of the distances from their "
        "medians";

    std::size_t processes{};  ///< of each kind
    std::size_t builds{1};    ///< programs with different link orders among those with drawn layouts, including this program
    double same{};            ///< spread of processes with one layout, as a fraction
    double drawn{};           ///< spread of processes with drawn layouts
    double moves{};           ///< two standard deviations of the effect of layouts, as a fraction; about 95 % of layouts move the value by
                              ///< less
    bool is_seen{};           ///< whether drawn layouts differ more than one layout does, at the rate `layout_false_alarm`
    double seconds{};         ///< time spent to find out
};

namespace detail {

/// How often layouts without effect are reported to have one. The distances are from each group's own median, so they are only nearly
/// exchangeable. For normal logarithms the rate is lower (tests/stats/layout_test.cpp).
inline constexpr double layout_false_alarm = 0.05;

/// Fewer processes of each kind say little about a spread. The exact distribution is available for up to twenty.
inline constexpr std::size_t min_processes_of_a_layout = 10;
inline constexpr std::size_t max_processes_of_a_layout = 20;

/// Estimates the effect of layouts from processes with one layout and processes with drawn ones.
///
/// same, drawn  positive values of 10 to 20 processes each
/// Throws input_error for other sizes, and for a value that is not finite and positive.
///
///     const layout_effect e = effect_of_layout(one_layout_ns, drawn_layouts_ns);
///     e.is_seen && e.moves > 0.02   // layouts move it by 2 % and more
[[nodiscard]] layout_effect effect_of_layout(std::span<const double> same, std::span<const double> drawn);

/// Whether layouts could explain the distance of the value from the bound: they are seen to move it, and by more than this distance.
///
/// value, bound  positive, in one unit
[[nodiscard]] bool may_be_layout(const layout_effect& effect, double value, double bound);

}  // namespace detail
}  // namespace perfspec
