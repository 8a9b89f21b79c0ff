// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/question.hpp>
#include <perfspec/process/launcher.hpp>

#include <string>

namespace perfspec::detail {

/// Hands the command to the program that the option `launcher` names, such as "srun -N1 --exclusive" or "taskset -c 3".
/// Does nothing without the option. Parent and child then speak by standard input and output, which such programs pass
/// on. `ssh` gets one command for a shell, which sets the folder and the variables; all others keep both. Throws
/// measurement_failure where there is no such program.
void start_elsewhere(child_command& command, const question& asked);

/// Throws measurement_failure for a process that the option `launcher` has started on other hardware than that of this
/// claim.
void require_same_hardware(const question& asked, const std::string& hardware_of_process);

}  // namespace perfspec::detail
