// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::detail {

/// Variables as `child_command` and `program_start` hold them.
using variable_list = std::vector<std::pair<std::string, std::string>>;

/// The list with one variable set; it occurs once, where it stood first or at the end.
[[nodiscard]] variable_list with_variable(variable_list variables, std::string_view name, std::string_view value);

}  // namespace perfspec::detail
