// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/claim_result.hpp>

#include <string>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// The record's table of where time goes: one row for each part, one column for each method, in order of their first
/// occurrence. Empty for a record without such a table. If there are more than thirty rows, those below half a percent
/// are only counted.
[[nodiscard]] std::vector<std::string> part_table(const std::vector<part_value>& parts);

/// The texts of a member of the parts, each once, in order of their first occurrence.
[[nodiscard]] std::vector<std::string> each_once(const std::vector<part_value>& parts, std::string part_value::*member);

}  // namespace perfspec::inline v0_2::detail
