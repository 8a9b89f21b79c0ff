// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A program without a test framework: does what its first argument says.
#include <perfspec/perfspec.hpp>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

int spin(int n) {
    for (int i = 0; i < n; ++i) perfspec::keep(i);
    return n;
}

const auto fast = [] { return spin(20'000); };
const auto slow = [] { return spin(200'000); };

void leave() {
    PERF_REQUIRE(speedup(fast, slow) > 2);
    std::puts("not left");
}

void claim_memory() {
    const perfspec::subject small("small", [] { return std::vector<char>(std::size_t{16} << 20, 'x').size(); });
    const perfspec::subject large("large", [] { return std::vector<char>(std::size_t{64} << 20, 'x').size(); });
    PERF_CHECK(peak_memory(large) < 65_MiB);
    PERF_CHECK(peak_memory(large) > 63_MiB);
    PERF_CHECK(peak_memory(small) <= 0.3 * peak_memory(large));
    PERF_RECORD(peak_memory(small));
}

void claim_start() {
    const auto model = perfspec::subject("model", [] { return spin(20'000); }).load([] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    });
    PERF_CHECK(load_time(model) > 19ms);
    PERF_CHECK(first_call(model) < 10ms);
    PERF_CHECK(cold_start(model) > 20ms);
}

void claim_growth() {
    PERF_CHECK(growth(setup([](std::size_t n) { return static_cast<int>(n); }), [](int& n) { return spin(n); },
                      {4000, 16000, 64000}) <= order::power(1));
    PERF_CHECK(growth(setup([](std::size_t n) { return static_cast<int>(n); }),
                      [](int& n) { return spin(n / 100 * n); }, {1000, 2000, 8000}) >= order::power(2));
}

void act(const char* what) {
    if (std::strcmp(what, "hold") == 0) PERF_REQUIRE(speedup(slow, fast) > 2);
    if (std::strcmp(what, "violate") == 0) PERF_CHECK(speedup(fast, slow) > 2);
    if (std::strcmp(what, "warn") == 0) PERF_WARN(speedup(fast, slow) > 2);
    if (std::strcmp(what, "record") == 0) PERF_RECORD(speedup(slow, fast));
    if (std::strcmp(what, "peak") == 0) claim_memory();
    if (std::strcmp(what, "start") == 0) claim_start();
    if (std::strcmp(what, "growth") == 0) claim_growth();
    if (std::strcmp(what, "stability") == 0) PERF_RECORD(stability(fast));
    if (std::strcmp(what, "device") == 0) PERF_CHECK(device_time(fast) < 3ms);
    if (std::strcmp(what, "leave") == 0) leave();
    if (std::strcmp(what, "stored") == 0) PERF_CHECK(latency(perfspec::subject("fast", fast)) < 1.5 * baseline());
    if (std::strcmp(what, "throw") == 0) PERF_CHECK(latency([] { throw std::runtime_error("no memory"); }) < 3ms);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (std::strcmp(argv[1], "uninitialised") != 0) perfspec::init(argc, argv);
        act(std::strcmp(argv[1], "uninitialised") == 0 ? argv[2] : argv[1]);
    } catch (const std::exception& e) { std::printf("caught: %s\n", e.what()); }
    return perfspec::exit_code();
}
