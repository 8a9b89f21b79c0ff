// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
// A real run: claims with the same verdicts on any machine.
#include <perfspec/perfspec.hpp>

#include <cstdint>
#include <stdexcept>

namespace {

std::uint64_t work(std::uint64_t steps) {
    std::uint64_t x = 1;
    for (std::uint64_t i = 0; i < steps; ++i) x = x * 6364136223846793005u + 1442695040888963407u;
    return x;
}

}  // namespace

int main(int argc, char** argv) {
    perfspec::init(argc, argv);
    std::uint64_t many = 20000;
    std::uint64_t few = 2000;
    auto slow = perfspec::subject("slow", [&] { return work(many); });
    auto fast = perfspec::subject("fast", [&] { return work(few); });
    auto broken = perfspec::subject("broken", [] { throw std::runtime_error("no input"); });

    PERF_CHECK(speedup(slow, fast) > 2.0);
    PERF_CHECK(speedup(fast, slow) > 2.0, confirm::off);
    PERF_CHECK(latency(broken) < 3ms);
    PERF_MEASURE(latency(fast));
    return perfspec::exit_code();
}
