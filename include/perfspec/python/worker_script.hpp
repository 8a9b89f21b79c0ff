// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/environment.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec {
class environment;
}  // namespace perfspec

namespace perfspec::detail {

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

/// The folder of a source file, which relative paths start from.
///
/// source  __FILE__. Where it is relative, as ccache may make it, the compiler's folder is not known. The first of
/// these that has the file
///         is taken for it: that of the program, those above, and the folder where the program was started; that one
///         where none has it. The program comes first because another build of it, which --perf-against names, is
///         started in the folder of this one.
[[nodiscard]] std::string folder_of_source(std::string_view source, const program_start& start);

/// The script that runs the subjects of a Python file.
struct worker_script {
    std::string path{};
    std::string missing{};  ///< where it was looked for, and what to do; empty where it was found
};

/// Looks for the script in the folder that PERFSPEC_PYTHON_MODULE names. Where that is not set, it looks beside
/// headers.
///
/// headers  __FILE__ of worker_subjects.hpp, as the units of this program saw it. An installed library was compiled
/// beside other headers, which
///          may be gone.
[[nodiscard]] worker_script find_worker_script(const std::vector<std::string_view>& headers, const program_start& start,
                                               const environment& variables);

}  // namespace perfspec::detail
