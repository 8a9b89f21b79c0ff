// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <CLI/CLI.hpp>

#include <exception>
#include <iostream>
#include <optional>

namespace perfspec::testing {

/// Reads the command line. Returns an exit code after --help or a wrong command line.
[[nodiscard]] inline std::optional<int> exit_code_of_command_line(CLI::App& app, int argc, char** argv) {
    app.set_help_flag("--help", "this text");
    try {
        app.parse(argc, argv);
        return {};
    } catch (const CLI::CallForHelp&) {
        std::cout << app.help();
        return 0;
    } catch (const CLI::ParseError& e) {
        std::cerr << e.what() << "\n  " << app.get_name() << " --help\n";
        return 2;
    }
}

/// Runs a program, and prints its exceptions on the standard error, after its name.
template <class Program> int run_calibration_program(const char* name, Program program, int argc, char** argv) {
    try {
        return program(argc, argv);
    } catch (const std::exception& e) {
        std::cerr << name << ": " << e.what() << '\n';
        return 2;
    }
}

}  // namespace perfspec::testing
