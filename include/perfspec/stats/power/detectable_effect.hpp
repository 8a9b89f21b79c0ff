// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <span>
#include <string_view>

namespace perfspec {

/// What a baseline of stored launches can see, as fractions: 0.04 is 4 %.
struct detectable_effect {
    static constexpr std::string_view method =
        "4 robust standard deviations (1.4826 MAD) of the logarithms of launch values, and at least the distance of the extreme launch from the median";

    double spread = 0;  ///< robust standard deviation of the logarithms, about a relative one
    double rise = 0;    ///< a value so much above the bound is found violated: "can see about +x %"
    double fall = 0;    ///< the same below it, for metrics where more is better
};

/// A baseline whose spread is above this is not worth recording.
inline constexpr double largest_spread_to_record = 0.20;

/// The effect that stored launches can see beyond the bound: four robust standard deviations (stats/README.md, "Detectable effect"). The rank test compares with
/// every stored launch, so that one far out hides what lies between it and the others: the effect is at least its distance from the median.
///
/// launches  one value a launch, positive (or all equal, such as counts of 0: then the spread is 0)
/// Throws input_error for no launches, or a value that is not finite or not positive.
/// Example: launches of sd 1 % see about +4 %.
[[nodiscard]] detectable_effect detectable_from(std::span<const double> launches);

}  // namespace perfspec
