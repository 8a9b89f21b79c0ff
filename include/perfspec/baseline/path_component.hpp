// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>

namespace perfspec {

/// A name as one file or folder name, whatever it holds: `../x` is `%2E.%2Fx`, never a path.
///
/// Letters, digits and `_ + = , @` stay, `-` and `.` too unless they lead; every other byte becomes %XX, so that
/// different names give different ones. The empty name is `%empty`; a name of more than 120 bytes keeps its first 100 and gets the FNV-1a
/// hash of the whole. A name that ends in `.json` or `.golden` loses that dot, because files of that name stand beside the folder.
[[nodiscard]] std::string path_component(std::string_view name);

}  // namespace perfspec
