// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>

namespace perfspec::inline v0_2 {

/// For programs without a test framework. Keeps the arguments, so a claim can be repeated in a fresh process, and reads
/// `--perf-…` options. Without this call, such claims are judged in one stage, and the record says so. With
/// `--perf-doctor` it prints the doctor's findings and ends the program.
///
/// Throws input_error for an unknown `--perf-…` option, for a value of an option or variable that does not parse, for a
/// wrong `perfspec.json`, and for a missing device that ctest granted.
void init(int argc, const char* const* argv);

/// Registers an argument for children of this program, in addition to perfspec's.
void child_argument(const char* argument);

/// Whether perfspec started this process to measure one claim again. Such a child repeats the test case up to that
/// claim, and may skip expensive assertions that the claim does not need:
///
///     if (!perfspec::in_child()) REQUIRE(matches_the_reference(model));
///
/// The answer is the same from before main to the end of the process.
[[nodiscard]] bool in_child();

/// The exit code of a program without a test framework: 0; 42 after a failure; 77 if no claim was judged, or one looks
/// violated. Return it at the end of main. If the program does not call it, a failure still ends the program with 42.
[[nodiscard]] int exit_code();

/// The summary that a host prints at the end of a run: the claims, the one closest to its bound first, and their time.
/// Empty without assertions and in a child. It ends with a line break.
[[nodiscard]] std::string run_summary();

namespace detail {

/// The doctor's report on this machine, which takes seconds.
[[nodiscard]] std::string examine_this_machine();

/// Prints the doctor's report for `--perf-doctor`. Returns the program's exit code.
[[nodiscard]] int print_doctor();

/// Throws input_error for illegal options, variables or project files, and for a missing device that ctest granted;
/// never in a child.
void require_settings();

}  // namespace detail
}  // namespace perfspec::inline v0_2
