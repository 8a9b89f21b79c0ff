// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <span>

namespace perfspec {

/// How many times as large the values of one sample are as those of another, with an interval of nominal coverage 0.95.
struct ratio_of_samples {
    double centre{};
    double low{};
    double high{};

    friend bool operator==(const ratio_of_samples&, const ratio_of_samples&) = default;
};

/// The ratio of positive values, in any order, to others. Empty where there are too few values for the interval, such as two and three, or one is not
/// positive.
///
/// The centre is the median of the ratios x_i / y_j of all m * n pairs. The ends are the k-th smallest and the k-th largest of them; k follows from the
/// normal approximation of the distribution of Wilcoxon, Mann and Whitney. The interval is that of a factor between two distributions which are otherwise
/// the same; the values are independent. It costs O(m n log(m n)) and stores the ratios.
/// Source: Hollander, Wolfe & Chicken, "Nonparametric Statistical Methods", 3rd ed. (2014), sections 4.2 and 4.3, applied to logarithms.
///
///     const auto slower = find_ratio_of_samples(after_a_pause, without_one);  // 1.02 (1.01 .. 1.04)
[[nodiscard]] std::optional<ratio_of_samples> find_ratio_of_samples(std::span<const double> numerator, std::span<const double> denominator);

}  // namespace perfspec
