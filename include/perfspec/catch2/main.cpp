// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// perfspec::catch2_main: the Catch2 host and a main. The core's bodies are units of their own, implementation/*.cpp.

#include <perfspec/catch2.hpp>

#include <perfspec/catch2/catch2.ipp>

int main(int argc, char** argv) { return perfspec::run_tests(argc, argv); }
