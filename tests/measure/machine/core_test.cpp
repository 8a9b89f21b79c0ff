// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/measure/machine/core.hpp>

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cstdint>
#include <vector>

#if defined(__linux__)
#    include <sched.h>
#endif

namespace perfspec {
namespace {

TEST_CASE("draw_core draws nothing, and tosses no coin, where there is no choice", "[measure][unit]") {
    coin order(7);
    coin untouched(7);
    CHECK_FALSE(draw_core({}, order));
    CHECK_FALSE(draw_core(std::array<std::uint32_t, 1>{3}, order));
    for (int i = 0; i < 64; ++i) CHECK(order.toss() == untouched.toss());
}

TEST_CASE("draw_core draws each core about as often", "[measure][unit]") {
    coin order(7);
    const std::array<std::uint32_t, 3> cores{2, 3, 11};
    std::array<int, 12> drawn{};
    for (int i = 0; i < 3000; ++i) ++drawn.at(draw_core(cores, order).value());
    for (const auto core : cores) {
        CHECK(drawn.at(core) > 900);
        CHECK(drawn.at(core) < 1100);
    }
}

#if defined(__linux__)

TEST_CASE("move_to_core moves the thread, and binds it to none", "[measure][unit]") {
    const std::vector<std::uint32_t> cores = usable_cores();
    REQUIRE_FALSE(cores.empty());
    for (const auto core : cores) {
        move_to_core(core);
        CHECK(usable_cores() == cores);
    }
}

TEST_CASE("move_to_core stays where a core may not be used", "[measure][unit]") {
    const std::vector<std::uint32_t> cores = usable_cores();
    for (const std::uint32_t core : {1023U, 1024U, 4294967295U}) {
        move_to_core(core);
        CHECK(usable_cores() == cores);
    }
}

TEST_CASE("move_to_core is on its core afterwards, but for what the system moves on", "[measure][unit]") {
    const std::vector<std::uint32_t> cores = usable_cores();
    if (cores.size() < 2) SKIP("this process may run on one core only");
    int arrived = 0;
    for (std::size_t i = 0; i < 200; ++i) {
        const std::uint32_t core = cores[i % cores.size()];
        move_to_core(core);
        arrived += ::sched_getcpu() == static_cast<int>(core) ? 1 : 0;
    }
    CHECK(arrived > 180);
}

#endif

}  // namespace
}  // namespace perfspec
