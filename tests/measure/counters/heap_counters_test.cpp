// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/measure/counters/heap_counters.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace perfspec {

TEST_CASE("a heap counter reads calls or bytes", "[measure][unit]") {
    detail::heap_counters heap;
    heap.calls = 3;
    heap.bytes = 96;
    CHECK(heap_counter(heap_counter::what::calls, &heap).now() == 3);
    CHECK(heap_counter(heap_counter::what::bytes, &heap).now() == 96);
}

TEST_CASE("a heap counter makes the operators count from its beginning to its end", "[measure][unit]") {
    detail::heap_counters heap;
    heap_counter calls(heap_counter::what::calls, &heap);
    CHECK(calls.begin().empty());
    CHECK(heap.counting.load());
    calls.end();
    CHECK_FALSE(heap.counting.load());
}

TEST_CASE("a heap counter of a program that replaces no operators says what to include", "[measure][unit]") {
    heap_counter calls(heap_counter::what::calls, nullptr);
    CHECK_THAT(calls.begin(),
               Catch::Matchers::ContainsSubstring("#include <perfspec/allocations.hpp> in one of its source files"));
    calls.end();
}

TEST_CASE("counters stand still in a sample, clocks do not", "[measure][unit]") {
    detail::heap_counters heap;
    CHECK(heap_counter(heap_counter::what::calls, &heap).may_stand_still());
    CHECK_FALSE(monotonic_clock().may_stand_still());
}

}  // namespace perfspec
