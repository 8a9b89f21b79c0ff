// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// What a body returns is not its work, but a promise of it.
#include "work.hpp"

#include <perfspec/catch2.hpp>

#include <future>
#include <vector>

TEST_CASE("deferred") {
#if WHOLE_RETURNS == 0
    PERF_CHECK(latency([] { return std::async(std::launch::deferred, [] { return work(100); }); }) < 50us);
#else
    const std::vector<int> data(100'000, 1);
    PERF_CHECK(latency([&] { return [&] { return work(static_cast<int>(data.size())); }; }) < 50us);
#endif
}
