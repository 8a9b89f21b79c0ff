// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/record.hpp>

#include <cstdint>
#include <string_view>

namespace perfspec::tool {

/// Whether a result has a value to compare: its centre is finite. Its interval may be open.
[[nodiscard]] bool has_value(const record& r);

/// Why the values of two results of one key have no ratio: "another metric", "no ratio of this value"; empty where they have one.
[[nodiscard]] std::string_view why_no_ratio(const record& before, const record& after);

/// The change from one value to another as fractions: 0.1 is +10 %. The interval comes from the ends of both, so it is wider than either.
///
/// An end of an estimate is open where too few samples exclude anything there: it is infinity, or 0 below a larger value.
/// Then the change has no end on that side, and the number there says nothing.
struct value_change {
    double centre{};
    double low{};
    double high{};
    bool is_open_below{};
    bool is_open_above{};

    [[nodiscard]] bool is_open() const noexcept { return is_open_below || is_open_above; }
};

/// Precondition: why_no_ratio is empty.
[[nodiscard]] value_change change_between(const estimate& before, const estimate& after);

enum class direction_of_change : std::uint8_t { none, better_now, worse_now };

/// The side on which the whole interval is beyond a threshold, which is a fraction from 0.
[[nodiscard]] direction_of_change side_of(const value_change& change, better direction, double beyond);

/// Whether the interval shows nothing on the worse side: it has no end there, or the value may be twice as bad (a time twice as long, half
/// the rate) although no such change was asked for. `beyond` is the threshold; where it is above 1, the value may be as bad as that.
[[nodiscard]] bool may_be_far_worse(const value_change& change, better direction, double beyond);
/// The same on the better side.
[[nodiscard]] bool may_be_far_better(const value_change& change, better direction, double beyond);

}  // namespace perfspec::tool
