// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A program without a test framework, with a behavior named by its first argument.
#include <perfspec/perfspec.hpp>

#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace {

int spin(int n) {
    for (int i = 0; i < n; ++i) perfspec::do_not_optimize(i);
    return n;
}

const auto fast = [] { return spin(20'000); };
const auto slow = [] { return spin(200'000); };

void leave() {
    PERF_REQUIRE(speedup(fast, slow) > 2);
    std::puts("not left");
}

void act(const char* what) {
    if (std::strcmp(what, "hold") == 0) PERF_REQUIRE(speedup(slow, fast) > 2);
    if (std::strcmp(what, "violate") == 0) PERF_CHECK(speedup(fast, slow) > 2);
    if (std::strcmp(what, "warn") == 0) PERF_WARN(speedup(fast, slow) > 2);
    if (std::strcmp(what, "record") == 0) PERF_MEASURE(speedup(slow, fast));
    if (std::strcmp(what, "leave") == 0) leave();
    if (std::strcmp(what, "stored") == 0) PERF_CHECK(latency(perfspec::subject("fast", fast)) < 1.5 * baseline());
    if (std::strcmp(what, "throw") == 0) PERF_CHECK(latency([] { throw std::runtime_error("no memory"); }) < 3ms);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (std::strcmp(argv[1], "uninitialized") != 0) perfspec::init(argc, argv);
        act(std::strcmp(argv[1], "uninitialized") == 0 ? argv[2] : argv[1]);
    } catch (const std::exception& e) { std::printf("caught: %s\n", e.what()); }
    return perfspec::exit_code();
}
