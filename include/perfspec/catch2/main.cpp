// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The implementation of perfspec and a main for Catch2: perfspec::catch2_main is this file.

#define PERFSPEC_IMPLEMENTATION
#include <perfspec/catch2.hpp>

int main(int argc, char** argv) { return perfspec::run_tests(argc, argv); }
