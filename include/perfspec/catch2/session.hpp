// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace Catch {  // NOLINT(readability-identifier-naming): its name is its own
class Session;
}

namespace perfspec {

/// Adds `--perf-budget`, `--perf-update-baselines` and the others to a Catch2 session's command line and help. Call before
/// `applyCommandLine`; own mains then end with `return perfspec::exit_code(session.run());`.
///
///     int main(int argc, char** argv) {
///         Catch::Session session;
///         perfspec::add_options(session);
///         if (const int rc = session.applyCommandLine(argc, argv); rc != 0) return rc;
///         return perfspec::exit_code(session.run());
///     }
void add_options(Catch::Session& session);

/// A whole main: reads Catch2's and perfspec's arguments, runs the tests, maps the exit code. Unlike with `add_options`, options with an
/// optional value take one here too: `--perf-update-baselines` and `--perf-update-baselines=append`.
///
///     int main(int argc, char** argv) { return perfspec::run_tests(argc, argv); }
[[nodiscard]] int run_tests(int argc, const char* const* argv);

/// Maps what Catch2's session returned: 42 after any failure, that of an assertion outside of test cases among them; 77 when there was none and every performance assertion was not
/// judged (`perfspec_discover_tests` shows that as Skipped), else what Catch2 returned.
[[nodiscard]] int exit_code(int catch2_result);

}  // namespace perfspec
