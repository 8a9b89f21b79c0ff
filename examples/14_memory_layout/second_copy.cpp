// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "copies.hpp"

std::uint64_t second_copy(const std::vector<std::uint64_t>& v) {
    std::uint64_t sum = 0;
    for (const std::uint64_t x : v) sum = (sum ^ x) * 0xff51afd7ed558ccdULL;
    return sum;
}
