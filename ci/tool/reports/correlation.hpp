// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "rank_correlation.hpp"

#include <perfspec/report/record.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace perfspec::tool {

/// How one metric goes with another value over the points of a test case: the same test with other sections or axes.
struct correlation_row {
    std::string metric;  ///< "speedup"
    std::string where;   ///< the test case, or an axis of it with one value: "model=alexnet"
    std::size_t points{};
    std::optional<rank_correlation> correlation{};
    bool is_ratio{};        ///< the three counts are of a ratio
    std::size_t above{};    ///< points whose whole interval is above 1
    std::size_t below{};    ///< and below 1
    std::size_t unclear{};  ///< and neither
};

/// What goes with a value.
struct correlations {
    std::string with;
    std::vector<correlation_row> rows{};
    std::size_t left_out{};  ///< results of points that lack the value
};

/// Correlates each other metric with the value `with`: an axis whose values are numbers, a user's metric, or a metric such as "compile_time". There is a row
/// for all points of a test case, and one for each value of an axis that has `fewest_correlated` points. Results that are invalid have no part in it.
///
/// Throws input_error where no point has such a value.
[[nodiscard]] correlations correlate(std::span<const record> records, const std::string& with);

/// The rows as a table for a console.
[[nodiscard]] std::string correlation_console(const correlations& found);

/// The same in GitHub's Markdown.
[[nodiscard]] std::string correlation_markdown(const correlations& found);

}  // namespace perfspec::tool
