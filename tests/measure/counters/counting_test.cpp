// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "support/scripted_counters.hpp"

#include <catch2/catch_test_macros.hpp>

#include <stdexcept>

namespace perfspec {

TEST_CASE("counting ends where what is counted throws", "[measure][unit]") {
    testing::scripted_counter calls;
    try {
        const counting begun(calls);
        CHECK(begun.fault().empty());
        CHECK(calls.begun == 1);
        CHECK(calls.ended == 0);
        throw std::runtime_error("in a body");
    } catch (const std::runtime_error&) {}
    CHECK(calls.ended == 1);
}

TEST_CASE("counting says why it cannot", "[measure][unit]") {
    testing::scripted_counter calls;
    calls.fault = "no counter here";
    CHECK(counting(calls).fault() == "no counter here");
    CHECK(calls.ended == 1);
}

}  // namespace perfspec
