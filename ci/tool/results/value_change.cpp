// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "value_change.hpp"

#include <cmath>
#include <limits>

namespace perfspec::tool {
namespace {

bool is_open_above(const estimate& e) { return std::isinf(e.high); }

bool is_open_below(const estimate& e) { return e.low <= 0.0 && e.centre > 0.0; }

/// A quotient of values that are not negative, less 1. Of two zeros it is 0: nothing changed.
double fraction(double over, double under) {
    if (under > 0.0) return std::isinf(under) ? -1.0 : over / under - 1.0;
    return over > 0.0 ? std::numeric_limits<double>::infinity() : 0.0;
}

bool may_be_doubled(const value_change& change, double beyond) { return change.is_open_above || change.high >= std::fmax(1.0, beyond); }

bool may_be_halved(const value_change& change) { return change.is_open_below || change.low <= -0.5; }

}  // namespace

bool has_value(const record& r) {
    return r.estimate && std::isfinite(r.estimate->centre) && !std::isnan(r.estimate->low) && !std::isnan(r.estimate->high);
}

std::string_view why_no_ratio(const record& before, const record& after) {
    if (unit_name(before) != unit_name(after) || before.direction != after.direction) return "another metric";
    if (before.estimate->centre < 0.0 || after.estimate->centre < 0.0) return "no ratio of this value";
    return {};
}

value_change change_between(const estimate& before, const estimate& after) {
    return {.centre = fraction(after.centre, before.centre),
            .low = fraction(std::fmax(after.low, 0.0), before.high),
            .high = fraction(after.high, std::fmax(before.low, 0.0)),
            .is_open_below = is_open_below(after) || is_open_above(before),
            .is_open_above = is_open_above(after) || is_open_below(before)};
}

direction_of_change side_of(const value_change& change, better direction, double beyond) {
    const bool up = change.low > beyond;
    const bool down = change.high < -beyond;
    if (!up && !down) return direction_of_change::none;
    return up == (direction == better::more) ? direction_of_change::better_now : direction_of_change::worse_now;
}

bool may_be_far_worse(const value_change& change, better direction, double beyond) {
    return direction == better::less ? may_be_doubled(change, beyond) : may_be_halved(change);
}

bool may_be_far_better(const value_change& change, better direction, double beyond) {
    return direction == better::less ? may_be_halved(change) : may_be_doubled(change, beyond);
}

}  // namespace perfspec::tool
