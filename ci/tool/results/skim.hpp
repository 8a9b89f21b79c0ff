// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace perfspec::tool {

/// The object of a line without the members of these names, whose values are not looked at. A line that is no object stays as it is, so
/// that whoever reads it finds the fault. Some twenty times as fast as reading the members.
///
///     without_members(R"({"key":"sort","subjects":[{"median":1}],"line":3})", names)   // {"key":"sort","line":3}
[[nodiscard]] std::string without_members(std::string_view line, std::span<const std::string_view> names);

}  // namespace perfspec::tool
