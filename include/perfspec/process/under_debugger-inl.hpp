// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/machine/disturbance-inl.hpp>
#include <perfspec/process/under_debugger.hpp>

namespace perfspec {

bool under_debugger() { return detail::process_file("/proc/self/status").number("\nTracerPid:") != 0; }

}  // namespace perfspec
