// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::detail {

/// The variables of `child_command` and `program_start`.
using variable_list = std::vector<std::pair<std::string, std::string>>;

/// The list with one variable set. It then occurs once: at its first place, or at the end.
[[nodiscard]] variable_list with_variable(variable_list variables, std::string_view name, std::string_view value);

}  // namespace perfspec::detail
