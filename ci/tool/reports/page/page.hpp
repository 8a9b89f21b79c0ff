// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>

namespace perfspec::tool {

/// The page for a browser, with this JSON as its data. It shows a report where the data has `records`, a history where it has `runs`.
/// Nothing in the data can end the element that it is in.
[[nodiscard]] std::string page_with(std::string_view json);

}  // namespace perfspec::tool
