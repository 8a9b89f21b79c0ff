// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace perfspec::detail {

/// Turns bytes of another process into text for people and files: UTF-8, line ends and tabs stay, any other byte
/// becomes `\x1b`.
[[nodiscard]] std::string printable(std::string_view bytes);

/// The same on one line, in quotes, at most 120 bytes of it: for "found …" in messages.
[[nodiscard]] std::string excerpt(std::string_view bytes);

/// The last `maximum` bytes, beginning with a whole UTF-8 character.
[[nodiscard]] std::string_view last_bytes(std::string_view bytes, std::size_t maximum) noexcept;

}  // namespace perfspec::detail
