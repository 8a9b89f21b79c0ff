// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A program that links perfspec::cuda and calls no function of it, as one with LibTorch's models, has its timers.
#include <perfspec/explain/kernel_times.hpp>

#include <catch2/catch_test_macros.hpp>

TEST_CASE("a program that only links perfspec::cuda has timers for CUDA's streams", "[cuda][unit]") {
    const perfspec::detail::stream_timers* const known = perfspec::detail::known_stream_timers();
    REQUIRE(known != nullptr);
    CHECK(known->devices == "cuda");
    CHECK(known->timing(perfspec::detail::stream_use::held) == "hot");
    CHECK(known->timing(perfspec::detail::stream_use::unheld) == "hot-synchronized");
    CHECK(known->make(perfspec::detail::stream_use::held) != nullptr);
}
