// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Processes that differ, share the processor, or have another place in memory. WHOLE_SLOWER makes the code sixty times
// slower.
#include "work.hpp"

#include <perfspec/catch2.hpp>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <thread>
#include <vector>

#include <unistd.h>

namespace {

const bool is_slower = std::getenv("WHOLE_SLOWER") != nullptr;
const int factor = is_slower ? 60 : 1;

/// Threads that compute, three for each core.
class crowd {
public:
    crowd() {
        for (unsigned i = 0; i < 3 * std::thread::hardware_concurrency(); ++i)
            threads_.emplace_back([this] {
                while (!ends_) static_cast<void>(work(1));
            });
    }
    crowd(const crowd&) = delete;
    crowd& operator=(const crowd&) = delete;
    ~crowd() {
        ends_ = true;
        for (std::thread& t : threads_) t.join();
    }

private:
    std::atomic<bool> ends_{false};
    std::vector<std::thread> threads_;
};

}  // namespace

TEST_CASE("processes of several speeds") {
    const int units = 10 + 5 * static_cast<int>(::getpid() % 3);  // one process after the other has the next number
    const auto x = perfspec::subject("x", [units] { return work(units * factor); });
    PERF_CHECK(latency(x) < 1.5 * baseline());
}

TEST_CASE("memory in a crowd") {
    const crowd others;
    const auto x = perfspec::subject(
        "x", [] { return std::vector<char>(is_slower ? std::size_t{64} << 20 : std::size_t{16} << 20, 'x'); });
    PERF_CHECK(peak_memory(x) <= 1.5 * baseline());
}

TEST_CASE("errors in a crowd") {  // true
    const crowd others;
    const auto x = perfspec::subject("x", [] { return 0; });
    PERF_CHECK(metric("errors", perfspec::less_is_better, x) <= baseline());
}
