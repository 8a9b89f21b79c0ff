// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/environment.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::inline v0_2 {
class environment;
}  // namespace perfspec::inline v0_2

namespace perfspec::inline v0_2::detail {

/// The program of this name: a path relative to `folder`; a name without "/" in the folders of PATH, or none there.
[[nodiscard]] std::optional<std::string> program_called(std::string_view name, const std::string& folder,
                                                        const environment& variables);

/// The Python of a worker: that of the settings, otherwise PERFSPEC_PYTHON, otherwise that of CMake, otherwise python3.
///
/// configured  by CMake; empty: none
[[nodiscard]] std::string python_to_use(std::string_view named, std::string_view configured,
                                        const environment& variables);

/// Why that Python cannot be started, who names it, and the remedy. Empty for a program, and for a name without "/".
///
/// folder  of relative paths; the others as for python_to_use
[[nodiscard]] std::string reason_of_missing_python(std::string_view named, std::string_view configured,
                                                   const std::string& folder, const environment& variables);

/// The folder of a source file, from which relative paths start.
///
/// source  __FILE__. If it is relative, as ccache may make it, the compiler's folder is unknown: the first folder that
///         has the file is taken, of the program's folder, those above it, and the folder in which the program started,
///         which is also the default. The program comes first because --perf-baseline-build starts another build of it in the
///         folder of this one.
[[nodiscard]] std::string folder_of_source(std::string_view source, const program_start& start);

/// The script that runs the subjects of a Python file.
struct worker_script {
    std::string path{};
    std::string missing{};  ///< the searched places and the remedy; empty if it was found
};

/// Looks for the script in the folder PERFSPEC_PYTHON_MODULE; without that variable, beside headers.
///
/// headers  __FILE__ of worker_subjects.hpp in the units of this program. The headers of an installed library may be
///          gone.
[[nodiscard]] worker_script find_worker_script(const std::vector<std::string_view>& headers, const program_start& start,
                                               const environment& variables);

}  // namespace perfspec::inline v0_2::detail
