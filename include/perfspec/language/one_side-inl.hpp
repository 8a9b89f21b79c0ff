// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/one_side.hpp>

#include <variant>

namespace perfspec::detail {

/// An end of a tolerance as a function of the bound in its middle.
struct end_of_tolerance {
    double sign;  ///< +1 if the end is above the bound, -1 if it is below
    double factor;
    double offset;

    [[nodiscard]] double of(double middle) const { return factor * middle + offset; }
};

inline end_of_tolerance end_of(const claim_terms& within, better direction, tolerance_end end) {
    const double sign = (direction == better::less) == (end == tolerance_end::loss) ? 1.0 : -1.0;
    const bound_tolerance& t = within.tolerance.value();
    return {sign, 1.0 + sign * t.fraction, sign * t.offset};
}

double bound_of_side(const claim_terms& within, better direction, tolerance_end end, double middle) {
    return end_of(within, direction, end).of(middle);
}

double middle_of(const claim_terms& within, better direction, tolerance_end end, double bound_of_side) {
    const end_of_tolerance e = end_of(within, direction, end);
    return (bound_of_side - e.offset) / e.factor;
}

/// The bound at an end of the tolerance around it.
struct bound_at {
    end_of_tolerance end;

    claim_bound operator()(const value_bound& b) const { return value_bound{end.of(b.value)}; }
    claim_bound operator()(const stored_bound& b) const {
        return stored_bound{end.factor * b.factor, end.of(b.offset)};
    }
    claim_bound operator()(const query_bound& b) const { return query_bound{end.factor * b.factor, b.other}; }
};

claim_terms one_side(const claim_terms& within, better direction, tolerance_end end) {
    const end_of_tolerance e = end_of(within, direction, end);
    return {
        e.sign > 0.0 ? comparison::less_equal : comparison::greater_equal, std::visit(bound_at{e}, within.bound), {}};
}

}  // namespace perfspec::detail
