// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Counts on a simulated processor, including bodies that work in threads and processes.
#include "work.hpp"

#include <perfspec/callgrind.hpp>
#include <perfspec/catch2.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace {

/// About 12 instructions a step.
std::uint64_t mix(std::uint64_t steps) {
    std::uint64_t x = perfspec::black_box(std::uint64_t{88172645463325252U});
    for (std::uint64_t i = 0; i < steps; ++i) {
        x ^= x << 13U;
        x ^= x >> 7U;
        x ^= x << 17U;
    }
    return x;
}

/// 1 % more with WHOLE_SLOWER.
std::uint64_t steps() { return std::getenv("WHOLE_SLOWER") != nullptr ? 10100 : 10000; }

}  // namespace

TEST_CASE("one percent more than a number") {
    PERF_CHECK(perfspec::simulated_instructions([] { return mix(10100); }) <
               1.005 * perfspec::simulated_instructions([] { return mix(10000); }));
}

TEST_CASE("work in a thread of the body") {
    const auto other = perfspec::subject("in a thread", [] {
        std::uint64_t sum = 0;
        std::thread([&] { sum = mix(10000); }).join();
        return sum;
    });
    PERF_CHECK(perfspec::simulated_instructions(other) <
               0.5 * perfspec::simulated_instructions([] { return mix(10000); }));
}

TEST_CASE("work in a process of the body") {
    PERF_CHECK(perfspec::simulated_instructions([] {
                   const pid_t child = ::fork();
                   if (child == 0) {
                       perfspec::do_not_optimize(mix(100000));
                       ::_exit(0);
                   }
                   int status = 0;
                   ::waitpid(child, &status, 0);
                   return mix(100);
               }) < 100000);
}

TEST_CASE("work in every eighth call") {
    static int calls = 0;
    PERF_CHECK(perfspec::simulated_instructions([] { return mix(++calls % 8 == 0 ? 100000U : 100U); }) < 5000);
}

TEST_CASE("one percent more than its baseline") {
    const auto x = perfspec::subject("x", [] { return mix(steps()); });
    PERF_CHECK(perfspec::simulated_instructions(x) < 1.005 * perfspec::baseline());
}

TEST_CASE("the same") {  // true
    PERF_CHECK(perfspec::simulated_instructions([] { return mix(10000); }) ==
               perfspec::simulated_instructions([] { return mix(10000); }));
}

TEST_CASE("memory, strings and threads") {  // true
    const auto fill = [](std::size_t n) {
        std::vector<std::string> all;
        for (std::size_t i = 0; i < n; ++i) all.push_back(std::string(i % 64, 'x'));
        return all.size();
    };
    PERF_CHECK(perfspec::simulated_instructions([&] { return fill(500); }) <
               0.6 * perfspec::simulated_instructions([&] { return fill(1000); }));
}
