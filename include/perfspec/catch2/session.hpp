// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace Catch {  // NOLINT(readability-identifier-naming): Catch2's own name
class Session;
}

namespace perfspec::inline v0_2 {

/// Adds `--perf-budget`, `--perf-update-baselines` and the other options to the command line and help of a Catch2
/// session. Call it before `applyCommandLine`. Your main then ends with `return perfspec::exit_code(session.run());`.
///
///     int main(int argc, char** argv) {
///         Catch::Session session;
///         perfspec::add_options(session);
///         if (const int rc = session.applyCommandLine(argc, argv); rc != 0) return rc;
///         return perfspec::exit_code(session.run());
///     }
void add_options(Catch::Session& session);

/// A complete main: reads the arguments of Catch2 and perfspec, runs the tests, and maps the exit code. Unlike with
/// `add_options`, options with an optional value work both ways: `--perf-update-baselines` and
/// `--perf-update-baselines=append`.
///
///     int main(int argc, char** argv) { return perfspec::run_tests(argc, argv); }
[[nodiscard]] int run_tests(int argc, const char* const* argv);

/// Maps the return value of Catch2's session to the exit code of the program. It is 42 after any failure, including
/// those outside of test cases. It is 77 if nothing failed, and no claim was judged or one looks violated
/// (`perfspec_discover_tests` shows that as Skipped). Otherwise it is Catch2's value.
[[nodiscard]] int exit_code(int catch2_result);

}  // namespace perfspec::inline v0_2
