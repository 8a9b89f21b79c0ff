// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <stdexcept>

namespace perfspec {

/// Thrown for input that perfspec cannot use: an option, a file, a claim that names things that do not exist.
/// The text says where the input is (file and line, option, claim), what was found, a legal value, and the remedy.
struct input_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace perfspec
