// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// perfspec::catch2_main: its main. A linker takes it only where the program has no other main.

#include <perfspec/catch2/session.hpp>

int main(int argc, char** argv) { return perfspec::run_tests(argc, argv); }
