// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/seed.hpp>

#include <random>

namespace perfspec {

std::uint64_t fresh_seed() {
    std::random_device source;
    return std::uint64_t{source()} & 0xffff'ffffU;
}

}  // namespace perfspec
