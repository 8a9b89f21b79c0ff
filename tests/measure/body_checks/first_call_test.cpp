// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/measure/body_checks/first_call.hpp>

#include <support/scripted_usage.hpp>
#include <support/test.hpp>

namespace perfspec {
namespace {

using testing::scripted_usage;

constexpr std::int64_t us = 1'000;
constexpr std::int64_t ms = 1'000'000;
constexpr std::int64_t mebibyte = 1 << 20;

/// A body whose calls take these times, the last of them from then on.
subject takes(scripted_usage& used, std::vector<std::int64_t> calls) {
    return {"x",
            [&used, calls, next = std::size_t{0}]() mutable { used.work(calls[std::min(next++, calls.size() - 1)]); }};
}

}  // namespace

TEST_CASE("a first call does work of its own where it takes three times as long and 0.3 ms more", "[measure][unit]") {
    const auto [first, later, is_alone] = GENERATE(table<call_usage, call_usage, bool>({
        {{1100 * us, 1100 * us}, {4, 4}, true},                              // memoised
        {{1000 * us, 1000 * us, 0, 0, 0}, {302 * us, 302 * us}, true},       // sorted from then on
        {{900 * us, 900 * us, 0, 0, 0}, {302 * us, 302 * us}, false},        // not three times
        {{299 * us, 299 * us, 0, 0, 0}, {1, 1}, false},                      // cold caches, lazy binding
        {{5 * ms, 310 * us, 0, 0, 0}, {302 * us, 302 * us}, false},          // interrupted
        {{1 * ms, 4 * ms, 0, 0, 0}, {900 * us, 900 * us}, false},            // more threads, no more time
        {{70 * ms, 70 * ms, 64 * mebibyte, 0, 0}, {3 * ms, 3 * ms}, false},  // touched its memory for the first time
        {{90 * ms, 90 * ms, 64 * mebibyte, 0, 0}, {3 * ms, 3 * ms}, true},
        {{60 * ms, 60 * ms, 0, 5120, 0}, {3 * ms, 3 * ms}, false},  // the same, and gave it back
        {{140 * ms, 140 * ms, 0, 5000, 0}, {3 * ms, 3 * ms}, true},
        {{94 * ms, 94 * ms, 0, 5120, 0},
         {2 * ms, 2 * ms},
         false},                                               // 20 MiB that the host of a virtual machine has to find
        {{1 * ms, 1 * ms, 0, 0, 2}, {5 * us, 5 * us}, false},  // beside the threads of a pool
        {{14 * ms, 14 * ms, 0, 0, 0, 5 * us}, {3 * us, 3 * us}, false},  // spun until the other thread had a core
        {{14 * ms, 14 * ms, 0, 0, 0, 3 * us}, {3 * us, 3 * us}, true},
        {{1 * ms, 1 * ms, -mebibyte, 0, 1}, {5 * us, 5 * us}, true},
    }));
    CAPTURE(first.wall_ns, first.cpu_ns, first.grown_bytes, first.threads);
    CHECK(is_first_call_alone(first, later) == is_alone);
}

TEST_CASE("use_of_call is what a call used, and runs it without a meter too", "[measure][unit]") {
    scripted_usage used;
    const subject x("x", [&] {
        used.work(7);
        used.used.cpu_ns += 2;  // of another thread
        used.used.memory_bytes += 100;
        used.used.page_faults += 3;
        used.used.threads = 2;
    });
    CHECK(use_of_call(x, &used) == call_usage{7, 9, 100, 3, 2, 2});
    CHECK_FALSE(use_of_call(x, nullptr).has_value());
    CHECK(used.used.wall_ns == 14);
}

TEST_CASE("a first call is looked at again only where it was long", "[measure][unit]") {
    scripted_usage used;
    const auto memoised = takes(used, {1 * ms, 4});
    const auto first = use_of_call(memoised, &used);
    CHECK(look_at_first_call(memoised, first, 4.0, &used) == first_call_times{1e6, 4.0});
    CHECK(used.used.wall_ns == 1 * ms + 3 * 4);

    scripted_usage of_steady;
    const auto steady = takes(of_steady, {4});
    CHECK(look_at_first_call(steady, use_of_call(steady, &of_steady), 4.0, &of_steady) == first_call_times{});
    CHECK(of_steady.used.wall_ns == 4);
}

TEST_CASE("the time of an interrupted first call is the processor's", "[measure][unit]") {
    scripted_usage used;
    const auto x = takes(used, {4});
    CHECK(look_at_first_call(x, call_usage{20 * ms, 5 * ms}, 4.0, &used) == first_call_times{5e6, 4.0});
}

TEST_CASE("a call that is long now and then is no first call", "[measure][unit]") {
    scripted_usage used;
    const auto x = takes(used, {1 * ms, 4, 1 * ms, 4});
    CHECK(look_at_first_call(x, use_of_call(x, &used), 4.0, &used) ==
          first_call_times{1e6, 4.0});  // the middle of three counts
    const auto y = takes(used, {1 * ms});
    CHECK(look_at_first_call(y, use_of_call(y, &used), 4.0, &used) == first_call_times{});
}

}  // namespace perfspec
