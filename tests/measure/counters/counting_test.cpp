// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "support/scripted_counters.hpp"

#include <perfspec/measure/counters/heap_counters.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/machine/disturbance.hpp>

#include <support/test.hpp>

#include <atomic>
#include <numeric>

#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

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
    static constexpr metric_traits charge{
        "charge",         dimension::count,     statistic::exact,         better::less,
        reading::counter, unreadable::is_error, shared_by::like_machines, "what a battery gives"};
    counter& missing = process_counters().of({charge});
    CHECK_RECORDED(counting(missing).fault());
    static testing::scripted_counter made_up;
    CHECK(use_counter(charge, made_up));
    CHECK(&process_counters().of({charge}) == &made_up);
}

TEST_CASE("process_usage reports memory, threads and processor time of this process", "[measure][unit]") {
    const usage now = process_usage().now();
    CHECK(now.threads >= 1);
    CHECK(now.memory_bytes > 0);
    CHECK(now.own_cpu_ns > 0);
    CHECK(now.others_cpu_ns() >= 0);
    std::atomic<bool> enough{false};
    const std::jthread other([&] {
        while (!enough) {}
    });
    CHECK(process_usage().now().threads >= 2);
    enough = true;
}

TEST_CASE("process_usage reports threads of a user in a thousand groups, too", "[measure][unit]") {
    const pid_t child = ::fork();
    if (child == 0) {
        std::vector<gid_t> groups(1000);
        std::iota(groups.begin(), groups.end(), gid_t{2'000'000'000});
        const bool joined = ::setgroups(groups.size(), groups.data()) == 0;
        ::_exit(joined ? process_usage().now().threads : 77);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WEXITSTATUS(status) == 77) SKIP("this user may not join groups");
    CHECK(WEXITSTATUS(status) == 1);
}

namespace {

detail::heap_counters* known = nullptr;

/// A heap counter of a program with these counters.
heap_counter heap_counter_of(detail::heap_counters* heap, heap_counter::what w = heap_counter::what::calls) {
    known = heap;
    return heap_counter(w, []() noexcept { return known; });
}

}  // namespace

TEST_CASE("a heap counter reads calls or bytes", "[measure][unit]") {
    detail::heap_counters heap;
    heap.calls = 3;
    heap.bytes = 96;
    CHECK(heap_counter_of(&heap).now() == 3);
    CHECK(heap_counter_of(&heap, heap_counter::what::bytes).now() == 96);
}

TEST_CASE("heap counters count that were registered after the counters of the process were made", "[measure][unit]") {
    counter& calls = process_counters().of({detail::metrics::allocations});
    CHECK_FALSE(calls.begin().empty());
    static detail::heap_counters heap;
    CHECK(detail::use_heap_counters(heap, true));
    CHECK(calls.begin().empty());
    calls.end();
}

TEST_CASE("a heap counter makes the operators count from its beginning to its end", "[measure][unit]") {
    detail::heap_counters heap{.counts_malloc = true};
    heap_counter calls = heap_counter_of(&heap);
    CHECK(calls.begin().empty());
    CHECK(heap.counting.load());
    calls.end();
    CHECK_FALSE(heap.counting.load());
}

TEST_CASE("a heap counter says which calls are of other threads", "[measure][unit]") {
    detail::heap_counters heap{.counts_malloc = true};
    heap_counter calls = heap_counter_of(&heap);
    heap.calls_of_others = 7;
    CHECK(calls.begin().empty());
    CHECK(heap.thread == ::pthread_self());
    CHECK(calls.caveat().empty());
    heap.calls_of_others = 2;
    CHECK_THAT(calls.caveat(), Catch::Matchers::StartsWith("2 of the counted allocations are of other threads"));
    calls.end();
}

TEST_CASE("a heap counter of a program that replaces no operators says what to include", "[measure][unit]") {
    heap_counter calls = heap_counter_of(nullptr);
    CHECK_RECORDED(calls.begin());
    calls.end();
}

TEST_CASE("a heap counter does not count if it would miss calls of malloc", "[measure][unit]") {
    detail::heap_counters heap;
    heap_counter calls = heap_counter_of(&heap);
    CHECK_THROWS_AS(calls.begin(), measurement_failure);
    CHECK_FALSE(heap.counting.load());
}

TEST_CASE("counters stand still in a sample, clocks do not", "[measure][unit]") {
    detail::heap_counters heap;
    CHECK(heap_counter_of(&heap).may_stand_still());
    CHECK_FALSE(monotonic_clock().may_stand_still());
}

}  // namespace perfspec
