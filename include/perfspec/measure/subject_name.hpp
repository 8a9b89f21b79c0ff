// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>

#include <string>

namespace perfspec::detail {

/// How a message names a subject: "\"sort 1M\"", or "the body" without a name.
[[nodiscard]] std::string subject_name(const subject& x);

}  // namespace perfspec::detail
