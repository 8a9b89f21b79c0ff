// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/environment.hpp>

#include <string>

namespace perfspec {

/// The path of a program: a name with a slash is one already, any other is looked up in the folders of PATH. Empty
/// where there is no such program. Relative folders of PATH are passed over, because a process may start in another
/// folder.
[[nodiscard]] std::string program_path(const environment& variables, const std::string& name);

}  // namespace perfspec
