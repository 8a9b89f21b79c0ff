// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/console/console.hpp>

#include <string>
#include <vector>

namespace perfspec::detail {

/// The record's table of where time goes: a row a part, a column a method, in the order in which they first occur; none for a record without one.
/// Of more than thirty rows those below half a percent are counted, not shown, unless verbose.
[[nodiscard]] std::vector<std::string> part_table(const std::vector<part_value>& parts, console_verbosity verbosity);

}  // namespace perfspec::detail
