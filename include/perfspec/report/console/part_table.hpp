// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/console/console.hpp>

#include <string>
#include <vector>

namespace perfspec::detail {

/// The record's table of where time goes: one row for each part, one column for each method, in the order in which they
/// first occur. Empty for a record without such a table. If there are more than thirty rows, those below half a percent
/// are only counted, unless verbose.
[[nodiscard]] std::vector<std::string> part_table(const std::vector<part_value>& parts, console_verbosity verbosity);

}  // namespace perfspec::detail
