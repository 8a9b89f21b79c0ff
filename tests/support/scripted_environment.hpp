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

/// An environment of exactly these variables: `scripted_environment{{"PERFSPEC_BUDGET", "10s"}, {"CI", "1"}}`.
class scripted_environment final : public environment {
public:
    scripted_environment(std::initializer_list<std::pair<const std::string, std::string>> variables)
        : variables_(variables) {}
    explicit scripted_environment(std::map<std::string, std::string> variables) : variables_(std::move(variables)) {}

    /// The variables of a `child_command`.
    [[nodiscard]] static scripted_environment of(const std::vector<std::pair<std::string, std::string>>& variables);

    [[nodiscard]] std::optional<std::string> get(const std::string& name) const override;

    [[nodiscard]] std::vector<std::string> names() const override;

private:
    std::map<std::string, std::string> variables_;
};

}  // namespace perfspec::testing
