// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <span>

namespace perfspec {

/// The medians of values of one kind, by what came before each.
struct order_effect {
    double after_own{};
    double after_other{};

    friend bool operator==(const order_effect&, const order_effect&) = default;
};

/// Whether positive values depend on what came before them: the rank-sum test of Wilcoxon, Mann and Whitney finds it at 1e-4 from both sides, by its
/// normal approximation with ties, and the medians are a tenth apart. The order has to be random.
///
/// Independent values that do not depend on it pass the rank test in one of 10,000 cases. Noise that neighbouring values share changes that little, because
/// the order is drawn anew for each.
[[nodiscard]] std::optional<order_effect> find_order_effect(std::span<const double> after_own, std::span<const double> after_other);

}  // namespace perfspec
