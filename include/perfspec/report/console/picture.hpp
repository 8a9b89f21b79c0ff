// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/dimension.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec {

/// One line of a picture: a name, and values in the base unit of the picture's dimension. Values that are not finite are left out.
struct distribution {
    std::string_view name;
    std::span<const double> values;
};

/// Where a picture begins, and how many characters its bars and its lines have at most. Long names and numbers leave fewer for the bars.
struct picture_layout {
    std::size_t indent{6};
    std::size_t columns{40};
    std::size_t width{76};
};

/// Distributions under each other on one axis, in ASCII: a column is "." for few of a line's values, ":" for more, "|" for the most.
///
///     stored    . .:|.       1.40 .. 1.44
///     now     :.|            1.28 .. 1.31
///
/// returns one string a line, without line breaks; nothing for a distribution without values.
[[nodiscard]] std::vector<std::string> draw_distributions(std::span<const distribution> lines, dimension unit, picture_layout layout = {});

}  // namespace perfspec
