// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/one_side.hpp>

namespace perfspec::detail {

/// +1 where the end lies above the bound, -1 below.
inline double sign_of_end(const expression_node& within, tolerance_end end) {
    return (within.query.direction == better::less) == (end == tolerance_end::loss) ? 1.0 : -1.0;
}

inline double factor_of_end(const expression_node& within, tolerance_end end) {
    return 1.0 + sign_of_end(within, end) * within.tolerance.value().fraction;
}

inline double offset_of_end(const expression_node& within, tolerance_end end) {
    return sign_of_end(within, end) * within.tolerance.value().offset;
}

double bound_of_side(const expression_node& within, tolerance_end end, double middle) {
    return factor_of_end(within, end) * middle + offset_of_end(within, end);
}

double middle_of(const expression_node& within, tolerance_end end, double bound_of_side) {
    return (bound_of_side - offset_of_end(within, end)) / factor_of_end(within, end);
}

expression_node one_side(const expression_node& within, tolerance_end end) {
    expression_node side = within;
    side.owners = 1;
    side.tolerance.reset();
    side.compared = sign_of_end(within, end) > 0.0 ? comparison::less_equal : comparison::greater_equal;
    side.value = bound_of_side(within, end, within.value);
    side.factor = factor_of_end(within, end) * within.factor;
    side.offset = bound_of_side(within, end, within.offset);
    return side;
}

}  // namespace perfspec::detail
