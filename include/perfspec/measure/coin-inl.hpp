// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/coin.hpp>

#include <random>

namespace perfspec {

std::uint64_t fresh_seed() {
    std::random_device source;
    return std::uint64_t{source()} & 0xffff'ffffU;
}

struct coin::generator {
    std::mt19937_64 engine;
};

coin::coin(std::uint64_t seed) : generator_(std::make_unique<generator>(generator{std::mt19937_64{seed}})) {}
coin::coin(coin&&) noexcept = default;
coin& coin::operator=(coin&&) noexcept = default;
coin::~coin() = default;

// Takes the highest bit of one draw. A standard distribution is no option: each library may use its own algorithm.
bool coin::toss() { return (generator_->engine() >> 63U) != 0; }

}  // namespace perfspec
