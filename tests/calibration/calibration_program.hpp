// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <CLI/CLI.hpp>

#include <exception>
#include <iostream>
#include <optional>

namespace perfspec::testing {

/// Reads the command line. An exit code where there is nothing left to do: help was asked for, or the line is wrong.
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

/// Runs a program whose faults are told on the standard error, after its name.
template <class Program> int run_calibration_program(const char* name, Program program, int argc, char** argv) {
    try {
        return program(argc, argv);
    } catch (const std::exception& e) {
        std::cerr << name << ": " << e.what() << '\n';
        return 2;
    }
}

}  // namespace perfspec::testing
