// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// How long a verdict takes: prints medians in milliseconds, and their ratios to the time of the body, to compare
// machines. A failing claim includes its repetition in a fresh process. Usage: perfspec_time_to_verdict
// [repetitions=31]

#include <perfspec/perfspec.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace {

std::uint64_t spin(std::uint64_t rounds) {
    std::uint64_t x = 88172645463325252ULL;
    for (; rounds != 0; --rounds) {
        x ^= x << 13U;
        x ^= x >> 7U;
        x ^= x << 17U;
    }
    return x;
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Rounds of `spin` that take about `microseconds` here; the fastest of several tries.
std::uint64_t rounds_for(double microseconds) {
    double fastest = 1e300;
    for (int i = 0; i < 9; ++i) {
        const auto start = std::chrono::steady_clock::now();
        perfspec::do_not_optimize(spin(100'000));
        fastest = std::min(fastest, milliseconds_since(start) * 1e3);
    }
    return static_cast<std::uint64_t>(microseconds / fastest * 1e5);
}

struct scenario {
    const char* name;
    double microseconds;
    double slower;
};

void report(const scenario& s, int repetitions) {
    using namespace perfspec::language;
    const std::uint64_t rounds = rounds_for(s.microseconds);
    const auto slower = static_cast<std::uint64_t>(static_cast<double>(rounds) * s.slower);
    const auto before = perfspec::subject("before", [&] { return spin(rounds); });
    const auto after = perfspec::subject("after", [&] { return spin(slower); });
    std::vector<double> times;
    std::map<std::string, int> verdicts;
    for (int i = 0; i < repetitions; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const perfspec::evaluation r =
            perfspec::evaluate(speedup(before, after) > (s.slower > 1.0 ? 0.97 : 0.95), key(s.name));
        times.push_back(milliseconds_since(start));
        ++verdicts[perfspec::to_string(r.verdict)];
    }
    std::ranges::sort(times);
    const double median = times[times.size() / 2];
    std::printf("%-46s median %8.2f ms  (%.0f bodies)  ", s.name, median, median * 1e3 / s.microseconds);
    for (const auto& [verdict, count] : verdicts) std::printf(" %s %d", verdict.c_str(), count);
    std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
    perfspec::init(argc, argv);
    const int repetitions = argc > 1 ? std::atoi(argv[1]) : 31;
    for (const scenario& s : {scenario{"20 us, unchanged, > 0.95", 20, 1.0},
                              {"1 ms, unchanged, > 0.95", 1000, 1.0},
                              {"20 us, 5 % slower, > 0.97, fails twice", 20, 1.05},
                              {"1 ms, 5 % slower, > 0.97, fails twice", 1000, 1.05}}) {
        report(s, repetitions);
    }
}
