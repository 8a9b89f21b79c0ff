// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace perfspec {
class environment;

namespace detail {

/// The program of this name: a path as it is, relative to `folder`; any other name in the folders of PATH. Nothing
/// where PATH has none.
[[nodiscard]] std::optional<std::string> program_called(std::string_view name, const std::string& folder,
                                                        const environment& variables);

/// The Python of a worker: the one that the settings name, that of PERFSPEC_PYTHON, the one that CMake found, python3.
///
/// configured  the one that CMake found; empty: none
[[nodiscard]] std::string python_to_use(std::string_view named, std::string_view configured,
                                        const environment& variables);

/// Why that Python cannot be started: who names it, and what to do. Empty where it is a program, or a name that is
/// looked for in PATH.
///
/// folder  where a relative path begins; the others as for python_to_use
[[nodiscard]] std::string reason_of_missing_python(std::string_view named, std::string_view configured,
                                                   const std::string& folder, const environment& variables);

}  // namespace detail
}  // namespace perfspec
