// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/environment.hpp>

#include <string>
#include <utility>
#include <vector>

namespace perfspec {

/// The state of this process at its start, before main and any changes.
struct program_start {
    std::string executable;         ///< resolved path of this program; empty where the system does not report it
    std::string working_directory;  ///< empty where it could not be read (removed, not permitted)
    /// Every variable, in the order of the system. Processes that are started have the same.
    std::vector<std::pair<std::string, std::string>> environment;
};

/// Captured once: by a static initialiser in the implementation's translation unit, or by the first call if that is
/// earlier.
[[nodiscard]] const program_start& at_program_start();

/// Sets a variable in this process and in those that it starts. Only before main: a module calls it.
void set_at_program_start(const char* name, const std::string& value);

/// The variables of `at_program_start()`. They stay even when the process removes its own copy (`become_child`).
class program_start_environment final : public environment {
public:
    [[nodiscard]] std::optional<std::string> get(const std::string& name) const override;
    [[nodiscard]] std::vector<std::string> names() const override;
};

}  // namespace perfspec
