// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/console/picture.hpp>

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/text_width.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace perfspec {
namespace detail {

struct picture_axis {
    double low{};
    double high{};
    std::size_t columns{};

    [[nodiscard]] std::size_t column_of(double value) const noexcept {
        if (!(high > low)) return columns / 2;
        const double place = (std::clamp(value, low, high) - low) / (high - low);
        return static_cast<std::size_t>(std::lround(place * static_cast<double>(columns - 1)));
    }
};

struct picture_line {
    std::string name;
    std::vector<double> values;  // in rising order, finite, not empty
    std::string ends;            // the smallest and the largest
};

constexpr std::size_t longest_name = 24;

/// Widens the axis for these values. A value farther from the quartiles than three times their distance is drawn at the
/// edge, because one hiccup must not flatten the picture.
void widen(picture_axis& axis, const std::vector<double>& values) {
    const double q1 = values[values.size() / 4];
    const double q3 = values[values.size() - 1 - values.size() / 4];
    const double fence = q3 > q1 ? 3.0 * (q3 - q1) : std::numeric_limits<double>::infinity();
    axis.low = std::min(axis.low, std::max(values.front(), q1 - fence));
    axis.high = std::max(axis.high, std::min(values.back(), q3 + fence));
}

char bar(std::size_t count, std::size_t maximum) noexcept {
    constexpr std::string_view heights = ".:|";
    if (count == 0) return ' ';
    if (maximum <= heights.size()) return heights[count - 1];
    return heights[std::min<std::size_t>(2, (3 * count - 1) / maximum)];
}

std::string bars(const picture_line& line, const picture_axis& axis) {
    std::vector<std::size_t> counts(axis.columns);
    for (const double v : line.values) ++counts[axis.column_of(v)];
    const std::size_t maximum = *std::ranges::max_element(counts);
    std::string drawn;
    for (const std::size_t count : counts) drawn += line.values.size() == 1 && count == 1 ? '|' : bar(count, maximum);
    if (line.values.front() < axis.low) drawn.front() = '<';
    if (line.values.back() > axis.high) drawn.back() = '>';
    return drawn;
}

inline std::vector<picture_line> lines_of_picture(std::span<const distribution> lines, dimension unit) {
    std::vector<picture_line> kept;
    for (const distribution& d : lines) {
        picture_line line{shortened(d.name, longest_name), {}, {}};
        std::ranges::copy_if(d.values, std::back_inserter(line.values), [](double v) { return std::isfinite(v); });
        if (line.values.empty()) continue;
        std::ranges::sort(line.values);
        const double low = line.values.front();
        const double high = line.values.back();
        line.ends = low == high ? format_value(low, unit) : format_range(low, high, unit);
        kept.push_back(std::move(line));
    }
    return kept;
}

}  // namespace detail

std::vector<std::string> draw_distributions(std::span<const distribution> lines, dimension unit,
                                            picture_layout layout) {
    constexpr std::size_t gaps = 4;  // two blanks on either side of the bars
    constexpr std::size_t fewest_columns = 16;
    const std::vector<detail::picture_line> kept = detail::lines_of_picture(lines, unit);
    detail::picture_axis axis{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), 0};
    std::size_t widest_name = 0;
    std::size_t widest_ends = 0;
    for (const detail::picture_line& line : kept) {
        detail::widen(axis, line.values);
        widest_name = std::max(widest_name, detail::columns_of(line.name));
        widest_ends = std::max(widest_ends, detail::columns_of(line.ends));
    }
    const std::size_t others = layout.indent + widest_name + gaps + widest_ends;
    const std::size_t most = std::max<std::size_t>(layout.columns, 2);
    axis.columns = std::clamp(layout.width > others ? layout.width - others : 0, std::min(fewest_columns, most), most);
    std::vector<std::string> picture;
    for (const detail::picture_line& line : kept)
        picture.push_back(std::string(layout.indent, ' ') + detail::padded(line.name, widest_name) + "  " +
                          detail::bars(line, axis) + "  " + line.ends);
    return picture;
}

}  // namespace perfspec
