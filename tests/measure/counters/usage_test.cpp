// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/measure/machine/disturbance.hpp>

#include <catch2/catch_test_macros.hpp>

#include <atomic>
#include <thread>

namespace perfspec {

TEST_CASE("process_usage tells memory, threads and processor time of this process", "[measure][unit]") {
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

}  // namespace perfspec
