// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string_view>

namespace perfspec::tool {

/// page.html with its style and scripts in it, and "@data@" where the results belong. embed.cmake makes it.
[[nodiscard]] std::string_view page_text() noexcept;

}  // namespace perfspec::tool
