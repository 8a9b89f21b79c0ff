// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/granted_gpus.hpp>

namespace perfspec {

class gpu_machine;

namespace detail {

/// Throws input_error where ctest granted a GPU that this process does not have: a test that skips for want of a GPU
/// would hide that.
///
/// gpus  may be null: then nobody is asked
void require_granted_gpus(const granted_gpus& granted, gpu_machine* gpus);

}  // namespace detail
}  // namespace perfspec
