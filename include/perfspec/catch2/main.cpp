// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// The main of perfspec::catch2_main. A linker uses it only if the program has no other main.

#include <perfspec/catch2/session.hpp>

int main(int argc, char** argv) { return perfspec::run_tests(argc, argv); }
