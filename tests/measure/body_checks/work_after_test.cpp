// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/measure/body_checks/work_after.hpp>

#include <support/scripted_usage.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <atomic>
#include <cstdint>
#include <thread>

namespace perfspec {
namespace {

using testing::scripted_usage;
using testing::usage_sleeper;

constexpr std::int64_t us = 1'000;
constexpr std::int64_t ms = 1'000'000;

}  // namespace

TEST_CASE("work goes on after a call where it grows with the calls", "[measure][unit]") {
    struct row {
        work_after_calls found;
        double call_ns;
        bool is_of_each_call;
    };
    const auto r = GENERATE(values<row>({
        {{1 * ms, 62 * ms, 64}, 30e3, true},
        {{5 * ms, 6 * ms, 64}, 1e3, false},    // threads that spin until they are needed
        {{0, 64 * 20 * us, 64}, 30e3, false},  // less than the call itself
        {{0, 64 * 31 * us, 64}, 30e3, true},
        {{1 * ms, 3 * ms, 8}, 10e3, false},  // not four times
        {{0, 0, 64}, 0.0, false},
        {{1 * ms, 9 * ms, 1}, 1.0, false},
    }));
    CAPTURE(r.found.after_one_ns, r.found.after_many_ns, r.found.many);
    CHECK(r.found.is_of_each_call(r.call_ns) == r.is_of_each_call);
}

TEST_CASE("a body that leaves work to another thread is found, with a call's part of it", "[measure][unit]") {
    scripted_usage used;
    usage_sleeper rest(used);
    const subject x("x", [&] {
        used.work(30 * us);
        used.hand_over(1 * ms);
    });
    // of 16 calls, while 15 of which others are made: 16 ms less 15 times 30 us; after one call 1 ms
    CHECK(find_work_after(x, 30e3, used, rest) == (16.0 * 1e6 - 15.0 * 30e3 - 1e6) / 15.0);
}

TEST_CASE("a body whose work after one call was disturbed is looked at again", "[measure][unit]") {
    scripted_usage used;
    usage_sleeper rest(used);
    const subject x("x", [&, calls = 0]() mutable {
        constexpr int calls_in_a_row = 2 * 16;
        used.work(30 * us);
        used.hand_over(++calls > calls_in_a_row && calls <= calls_in_a_row + 3 ? 50 * ms : 1 * ms);
    });
    CHECK(find_work_after(x, 30e3, used, rest).has_value());
}

TEST_CASE("threads that spin after a call for their next work leave none", "[measure][unit]") {
    scripted_usage used;
    usage_sleeper rest(used);
    std::int64_t spun_at = -1;
    const subject x("x", [&] {
        used.work(30 * us);
        if (spun_at != used.used.wall_ns - 30 * us) used.hand_over(5 * ms);
        spun_at = used.used.wall_ns;
    });
    CHECK_FALSE(find_work_after(x, 30e3, used, rest).has_value());
}

TEST_CASE("threads that never rest, and calls too slow to be repeated, are not looked at", "[measure][unit]") {
    scripted_usage used;
    usage_sleeper rest(used);
    int calls = 0;
    const subject x("x", [&] { ++calls; });
    CHECK_FALSE(find_work_after(x, 6e6, used, rest).has_value());
    used.hand_over(1'000'000 * ms);
    CHECK_FALSE(find_work_after(x, 30e3, used, rest).has_value());
    CHECK(calls == 0);
    CHECK(used.used.wall_ns == 250 * ms);
}

TEST_CASE("process_usage tells memory, threads and processor time of this process", "[measure][unit]") {
    const usage now = process_usage().now();
    CHECK(now.threads >= 1);
    CHECK(now.memory_bytes > 0);
    CHECK(now.own_cpu_ns > 0);
    CHECK(now.others_cpu_ns() >= 0);
    CHECK(process_usage().others_rest());
    std::atomic<bool> enough{false};
    const std::jthread other([&] {
        while (!enough) {}
    });
    CHECK_FALSE(process_usage().others_rest());
    CHECK(process_usage().now().threads >= 2);
    enough = true;
}

}  // namespace perfspec
