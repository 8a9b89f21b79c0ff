// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/measure/machine/busy_processors.hpp>

#include <catch2/catch_test_macros.hpp>

#include <unistd.h>

#include <optional>

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
