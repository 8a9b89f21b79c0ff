// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/measure/machine/busy_processors.hpp>
#include <perfspec/measure/machine/core.hpp>

#include <support/test.hpp>

#include <unistd.h>

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

namespace perfspec::detail {
namespace {

/// 1 starts 2, and 2 starts 20 (a test), which starts 200 (its worker). 1 also starts 3. 90 and 91 start each other,
/// which no system does.
std::optional<unsigned> scripted_parent_of(unsigned pid) {
    switch (pid) {
    case 1: return 0U;
    case 2:
    case 3: return 1U;
    case 20: return 2U;
    case 200: return 20U;
    case 90: return 91U;
    case 91: return 90U;
    default: return {};
    }
}

kin of(unsigned pid) { return kin_of_process(pid, 20, scripted_parent_of); }

}  // namespace

TEST_CASE("a process's own are those that it descends from and those that descend from it", "[measure][unit]") {
    CHECK(of(20) == kin::own);
    CHECK(of(200) == kin::own);
    CHECK(of(2) == kin::own);
    CHECK(of(1) == kin::own);
    CHECK(of(3) == kin::stranger);
    CHECK(of(4711) == kin::unseen);
    CHECK(of(90) == kin::stranger);  // and the question comes to an end
}

TEST_CASE("the kernel tells the parent of this process, and none of a process that is not there", "[measure][unit]") {
    CHECK(parent_of_process(static_cast<unsigned>(getpid())) == static_cast<unsigned>(getppid()));
    CHECK_FALSE(parent_of_process(4'294'967'295U));
    CHECK(kin_of_this_process(static_cast<unsigned>(getpid())) == kin::own);
    CHECK(kin_of_this_process(4'294'967'295U) == kin::unseen);
}

}  // namespace perfspec::detail
