// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/quantity.hpp>
#include <perfspec/report/claim_result.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::inline v0_1 {

/// One line of a picture: a name, and values in the base unit of the picture's dimension. Values that are not finite
/// are left out.
struct distribution {
    std::string_view name;
    std::span<const double> values;
};

/// The indent of a picture, and the largest width of its bars and of its lines. Long names and numbers leave less room
/// for the bars.
struct picture_layout {
    std::size_t indent{6};
    std::size_t columns{40};
    std::size_t width{76};
};

/// Draws distributions below each other on one axis, in ASCII. A column is "." for few of a line's values, ":" for
/// more, "|" for the most.
///
///     stored    . .:|.       1.40 .. 1.44
///     now     :.|            1.28 .. 1.31
///
/// Returns one string per line, without line breaks. A distribution without values has no line.
[[nodiscard]] std::vector<std::string> draw_distributions(std::span<const distribution> lines, dimension unit,
                                                          picture_layout layout = {});

namespace detail {

/// The record's table of where time goes: one row for each part, one column for each method, in order of their first
/// occurrence. Empty for a record without such a table. If there are more than thirty rows, those below half a percent
/// are only counted.
[[nodiscard]] std::vector<std::string> part_table(const std::vector<part_value>& parts);

/// The texts of a member of the parts, each once, in order of their first occurrence.
[[nodiscard]] std::vector<std::string> each_once(const std::vector<part_value>& parts, std::string part_value::*member);

}  // namespace detail
}  // namespace perfspec::inline v0_1
