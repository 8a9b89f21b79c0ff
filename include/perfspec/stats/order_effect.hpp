// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <span>

namespace perfspec {

/// The medians of values of one kind: of those after their own kind, and of those after the other kind.
struct order_effect {
    double after_own{};
    double after_other{};

    friend bool operator==(const order_effect&, const order_effect&) = default;
};

/// Whether positive values depend on what came before them. The rank-sum test of Wilcoxon, Mann and Whitney must find a difference at the
/// two-sided rate 1e-4 (normal approximation with ties), and the medians must be a tenth apart. The order must be random.
///
/// Independent values that do not depend on the order are found by the rank test in one of 10,000 cases. Noise that neighbouring values
/// share changes this little, because the order is drawn again for each.
[[nodiscard]] std::optional<order_effect> find_order_effect(std::span<const double> after_own, std::span<const double> after_other);

}  // namespace perfspec
