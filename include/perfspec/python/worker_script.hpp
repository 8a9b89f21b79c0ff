// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perfspec {
class environment;
struct program_start;

namespace detail {

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

}  // namespace detail
}  // namespace perfspec
