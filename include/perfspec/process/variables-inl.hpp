// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/variables.hpp>

#include <algorithm>

namespace perfspec::detail {

variable_list with_variable(variable_list variables, std::string_view name, std::string_view value) {
    const auto named = [name](const auto& variable) { return variable.first == name; };
    const auto first = std::find_if(variables.begin(), variables.end(), named);
    if (first == variables.end()) {
        variables.emplace_back(name, value);
        return variables;
    }
    first->second = value;
    variables.erase(std::remove_if(first + 1, variables.end(), named), variables.end());
    return variables;
}

}  // namespace perfspec::detail
