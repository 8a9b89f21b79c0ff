// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace perfspec {

/// For programs without a test framework: keeps the arguments, so that a claim can be repeated in a fresh process, and reads
/// `--perf-…` options. Without it such claims are judged in one stage, and the record says so. With `--perf-doctor` it prints the doctor's
/// findings and ends the program.
///
/// Throws input_error for an unknown `--perf-…` option, a value that does not parse, here or in the environment, and a wrong `perfspec.json`.
void init(int argc, const char* const* argv);

/// Registers an argument that children of this program get besides those that perfspec gives them.
void child_argument(const char* argument);

/// Prints what `--perf-doctor` asks for; returns the program's exit code.
[[nodiscard]] int print_doctor();

/// The exit code of a program without a test framework: 0, 42 after a failure, 77 when every claim was not judged. For the end of main: a failure
/// that the program did not ask about ends it with 42 all the same.
[[nodiscard]] int exit_code();

}  // namespace perfspec
