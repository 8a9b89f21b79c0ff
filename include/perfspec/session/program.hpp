// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>

namespace perfspec {

/// For programs without a test framework. Keeps the arguments, so a claim can be repeated in a fresh process, and reads
/// `--perf-…` options. Without this call, such claims are judged in one stage, and the record says so. With
/// `--perf-doctor` it prints the doctor's findings and ends the program.
///
/// Throws input_error for an unknown `--perf-…` option, for a value that does not parse, here or in the environment,
/// for a wrong `perfspec.json`, and for a device that ctest granted and that is not there.
void init(int argc, const char* const* argv);

/// Registers an argument that children of this program get in addition to those from perfspec.
void child_argument(const char* argument);

/// Whether perfspec started this process to measure one claim of it again. A child repeats the test case up to that
/// claim. A test can skip expensive assertions there, if the claim does not need their effects:
///
///     if (!perfspec::in_child()) REQUIRE(matches_the_reference(model));
///
/// The answer is the same from before main to the end of the process.
[[nodiscard]] bool in_child();

/// The exit code of a program without a test framework: 0; 42 after a failure; 77 if no claim was judged. Return it at
/// the end of main. If the program does not ask for it, a failure ends the program with 42 all the same.
[[nodiscard]] int exit_code();

/// The summary of a run for people, which a host prints at its end: the claims, the one closest to its bound first, and
/// what they took. Empty without assertions and in a child. It ends with a line break.
[[nodiscard]] std::string run_summary();

namespace detail {

/// Prints the doctor's report for `--perf-doctor`. Returns the program's exit code.
[[nodiscard]] int print_doctor();

/// Throws input_error for options, variables or a project file that no run can have, and for a device that ctest granted
/// and that is not there.
void require_settings();

}  // namespace detail
}  // namespace perfspec
