// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/console/console.hpp>

#include <string>
#include <vector>

namespace perfspec::detail {

/// The lines below the claim, in this order: reason, value, bound, evidence, picture, advice, disturbances, place,
/// commands. `verbose` adds every other field.
[[nodiscard]] std::vector<std::string> console_rows(const record& r, console_style style);

}  // namespace perfspec::detail
