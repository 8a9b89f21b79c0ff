// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace perfspec {

/// The variables that a process was given: a parameter of everything that reads one, so that tests script them
/// (`tests/support/scripted_environment.hpp`).
class environment {
public:
    environment() = default;
    environment(const environment&) = delete;
    environment& operator=(const environment&) = delete;
    virtual ~environment() = default;

    /// The value of `name`; nothing where it is not set. A variable set to nothing is an empty string.
    [[nodiscard]] virtual std::optional<std::string> get(const std::string& name) const = 0;

    /// Every variable's name, each once, sorted by bytes: what a search for misspelt options goes through.
    [[nodiscard]] virtual std::vector<std::string> names() const = 0;
};

/// This process's own variables as they are now (`program_start.hpp` has those it was started with).
class process_environment final : public environment {
public:
    [[nodiscard]] std::optional<std::string> get(const std::string& name) const override;
    [[nodiscard]] std::vector<std::string> names() const override;
};

namespace detail {

/// The entries `name=value` of this process, ended by a null pointer; null itself after clearenv.
[[nodiscard]] char** environment_block() noexcept;

}  // namespace detail
}  // namespace perfspec
