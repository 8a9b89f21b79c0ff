// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <stdexcept>

namespace perfspec::inline v0_2 {

/// Input that perfspec cannot use: an option, a file, a claim about things that do not exist. The text names the place
/// (file and line, option, claim), the fault, a legal value, and the remedy.
struct input_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace perfspec::inline v0_2
