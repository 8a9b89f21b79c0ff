// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_environment.hpp"

namespace perfspec::testing {

scripted_environment scripted_environment::of(const std::vector<std::pair<std::string, std::string>>& variables) {
    return scripted_environment(std::map<std::string, std::string>(variables.begin(), variables.end()));
}

std::optional<std::string> scripted_environment::get(const std::string& name) const {
    const auto found = variables_.find(name);
    return found == variables_.end() ? std::nullopt : std::optional{found->second};
}

std::vector<std::string> scripted_environment::names() const {
    std::vector<std::string> result;
    for (const auto& variable : variables_) result.push_back(variable.first);
    return result;
}

}  // namespace perfspec::testing
