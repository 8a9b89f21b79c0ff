// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>

namespace perfspec::detail {

inline constexpr const char* declared_method = "one known value; nothing was measured in this run";

/// The value that an adapter knows of a subject: the time of compiling it, in nanoseconds.
[[nodiscard]] double declared_value(const subject& x);

}  // namespace perfspec::detail
