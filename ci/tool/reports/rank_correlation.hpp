// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace perfspec::tool {

/// Spearman's rank correlation: 1 where one value rises with the other, -1 where it falls, about 0 where neither. With an interval at 95 %.
struct rank_correlation {
    double centre{};
    double low{};
    double high{};
};

/// The fewest points that have a correlation. The interval of fewer would say nothing.
inline constexpr std::size_t fewest_correlated = 5;

/// The correlation of two lists of equal length. Equal values share the mean of their ranks. Empty for fewer than `fewest_correlated` values, and where all
/// values of a list are equal. The interval is approximate; of a perfect order it is that of the order with two neighbours exchanged.
///
/// Source: Bonett & Wright, "Sample size requirements for estimating Pearson, Kendall and Spearman correlations", Psychometrika 65 (2000): the interval.
[[nodiscard]] std::optional<rank_correlation> find_rank_correlation(std::span<const double> x, std::span<const double> y);

}  // namespace perfspec::tool
