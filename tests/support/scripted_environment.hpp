// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/environment.hpp>

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::testing {

/// Exactly these variables: `scripted_environment{{"PERFSPEC_BUDGET", "10s"}, {"CI", "1"}}`.
class scripted_environment final : public environment {
public:
    scripted_environment(std::initializer_list<std::pair<const std::string, std::string>> variables) : variables_(variables) {}
    explicit scripted_environment(std::map<std::string, std::string> variables) : variables_(std::move(variables)) {}

    /// The variables of a `child_command`.
    [[nodiscard]] static scripted_environment of(const std::vector<std::pair<std::string, std::string>>& variables) {
        return scripted_environment(std::map<std::string, std::string>(variables.begin(), variables.end()));
    }

    [[nodiscard]] std::optional<std::string> get(const std::string& name) const override {
        const auto found = variables_.find(name);
        return found == variables_.end() ? std::nullopt : std::optional{found->second};
    }

    [[nodiscard]] std::vector<std::string> names() const override {
        std::vector<std::string> result;
        for (const auto& variable : variables_) result.push_back(variable.first);
        return result;
    }

private:
    std::map<std::string, std::string> variables_;
};

}  // namespace perfspec::testing
