// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// perfspec::catch2_main: its main, which a linker takes only where the program has no other.

#include <perfspec/catch2/session.hpp>

int main(int argc, char** argv) { return perfspec::run_tests(argc, argv); }
