// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace perfspec::testing {

/// perfspec_replay: 0 with JSON (or the help) on `out`, or 2 with a text on `err` for unusable input. Arguments without
/// the program's name.
[[nodiscard]] int replay_program(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err);

}  // namespace perfspec::testing
