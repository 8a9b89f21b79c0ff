// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>

namespace perfspec {

/// Turns any name into the name of one file or folder: `../x` becomes `%2E.%2Fx`, never a path.
///
/// Letters, digits and `_ + = , @` stay; so do `-` and `.`, except at the beginning. Every other byte becomes %XX, so
/// different names give different results. The empty name is `%empty`. A result of more than 120 bytes is cut to its
/// first 100, and gets the FNV-1a hash of the whole name. The dot of a final `.json` or `.golden` is escaped too,
/// because files with such names stand beside the folder.
[[nodiscard]] std::string path_component(std::string_view name);

}  // namespace perfspec
