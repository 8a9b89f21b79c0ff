// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace perfspec {

/// The environment variables of a process. Every function that reads a variable takes this as a parameter, so tests can
/// script it (`tests/support/scripted_environment.hpp`).
class environment {
public:
    environment() = default;
    environment(const environment&) = delete;
    environment& operator=(const environment&) = delete;
    virtual ~environment() = default;

    /// The value of `name`, or nothing if it is not set. A variable that is set but empty gives an empty string.
    [[nodiscard]] virtual std::optional<std::string> get(const std::string& name) const = 0;

    /// The names of all variables, each once, sorted by bytes. The search for misspelt options reads them.
    [[nodiscard]] virtual std::vector<std::string> names() const = 0;
};

/// The path of a program in the folders of PATH; empty if there is none. Skips relative folders of PATH, because a
/// process may start in another folder.
[[nodiscard]] std::string program_path(const environment& variables, const std::string& name);

}  // namespace perfspec
