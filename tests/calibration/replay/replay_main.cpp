// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "replay_program.hpp"

#include <iostream>

int main(int argc, char** argv) {
    return perfspec::testing::replay_program({argv + 1, argv + argc}, std::cout, std::cerr);
}
