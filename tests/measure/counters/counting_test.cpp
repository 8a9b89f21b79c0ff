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

TEST_CASE("a metric that a module counts is counted by it, and without one says what to link", "[measure][unit]") {
    counter& missing = process_counters().of(metric_kind::device_memory);
    CHECK(counting(missing).fault() == "nothing in this program counts device_memory: link perfspec::cuda");
    static testing::scripted_counter made_up;
    CHECK(use_counter(metric_kind::device_traffic, made_up));
    CHECK(&process_counters().of(metric_kind::device_traffic) == &made_up);
}

}  // namespace perfspec
