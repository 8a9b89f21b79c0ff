// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>

namespace perfspec::inline v0_2 {

/// Quotes a word for a POSIX shell: `it's` becomes `'it'\''s'`.
[[nodiscard]] std::string shell_quoted(std::string_view text);

/// A regular expression for ctest that matches only the test case of this name. It makes a blank at the end of the
/// prefix optional, because Catch2 may drop it.
[[nodiscard]] std::string ctest_pattern(std::string_view prefix, std::string_view name);

}  // namespace perfspec::inline v0_2
