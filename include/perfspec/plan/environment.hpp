// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {

/// The environment variables of a process. Every function that reads a variable takes this as a parameter, so tests can
/// script it (`tests/support/scripted_environment.hpp`).
class environment {
public:
    environment() = default;
    environment(const environment&) = delete;
    environment& operator=(const environment&) = delete;
    virtual ~environment() = default;

    /// The value of `name`, if it is set; it may be empty.
    [[nodiscard]] virtual std::optional<std::string> get(const std::string& name) const = 0;

    /// The names of all variables, each once, sorted by bytes. The search for misspelt options reads them.
    [[nodiscard]] virtual std::vector<std::string> names() const = 0;
};

/// The path of a program in the folders of PATH; empty if there is none. It is absolute, because a process may start in
/// another folder.
[[nodiscard]] std::string program_path(const environment& variables, const std::string& name);

namespace detail {

/// The variables of `child_command` and `program_start`.
using variable_list = std::vector<std::pair<std::string, std::string>>;

/// Whether it is a file that this process may run.
[[nodiscard]] bool is_program(const std::string& path);

/// The list with one variable set. It then occurs once, at the end.
[[nodiscard]] variable_list with_variable(variable_list variables, std::string_view name, std::string_view value);

}  // namespace detail

/// The state of this process at its start, before main and any changes.
struct program_start {
    /// Resolved path of this program; empty if unknown. Its file may be another one by now: the launcher starts the one
    /// that runs.
    std::string executable;
    std::string working_directory;  ///< empty if it could not be read (removed, not permitted)
    /// Every variable, in the order of the system. Child processes get the same.
    std::vector<std::pair<std::string, std::string>> environment;
    /// Empty, or the words before the program if it was started through its loader: `/lib64/ld-linux… ./program`.
    std::vector<std::string> loader{};
};

/// Captured once: by a static initializer of the implementation, or by an earlier first call.
[[nodiscard]] const program_start& at_program_start();

/// Sets a variable in this process and its child processes. For modules, only before main.
void set_at_program_start(const char* name, const std::string& value);

/// The variables of `at_program_start()`. They stay after `become_child` removes variables of the process.
class program_start_environment final : public environment {
public:
    [[nodiscard]] std::optional<std::string> get(const std::string& name) const override;
    [[nodiscard]] std::vector<std::string> names() const override;
};

}  // namespace perfspec::inline v0_2
