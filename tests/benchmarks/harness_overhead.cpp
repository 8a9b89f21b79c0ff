// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// What a harness adds to a body: the time that perfspec, Google Benchmark and Catch2's BENCHMARK report for an empty
// body and for bodies of about 1, 10 and 100 ns, in one run, and how long each takes for its number. For perfspec also
// how long a verdict takes.
//     perfspec_harness_overhead --benchmark-no-analysis

#include <perfspec/perfspec.hpp>

#include <benchmark/benchmark.h>
#include <catch2/benchmark/catch_benchmark_all.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace {

/// Three dependent operations, about a nanosecond: no two steps run at once.
std::uint64_t steps(std::uint64_t x, int count) {
    for (; count != 0; --count) {
        x ^= x << 13U;
        x ^= x >> 7U;
        x ^= x << 17U;
    }
    return x;
}

double catch2_mean_ns = 0.0;

class mean_listener final : public Catch::EventListenerBase {
public:
    using EventListenerBase::EventListenerBase;
    void benchmarkEnded(const Catch::BenchmarkStats<>& stats) override { catch2_mean_ns = stats.mean.point.count(); }
};
CATCH_REGISTER_LISTENER(mean_listener)

class time_reporter final : public benchmark::BenchmarkReporter {
public:
    double nanoseconds = 0.0;
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override { nanoseconds = runs.at(0).GetAdjustedRealTime(); }
};

/// Printed at the end: Catch2's reporter writes lines of its own in between.
std::vector<std::string> rows;

/// The value of `measure`, and how long it took.
template <class Measure> void add_row(const char* harness, const char* body, const Measure& measure) {
    const auto start = std::chrono::steady_clock::now();
    const std::string value = measure();
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    char row[160];
    std::snprintf(row, sizeof row, "  %-24s %-10s %-66s %9.1f ms", harness, body, value.c_str(), ms);
    rows.emplace_back(row);
}

std::string shown(double nanoseconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3f ns", nanoseconds);
    return text;
}

template <class Body> std::string by_google(const char* name, const Body& body) {
    benchmark::ClearRegisteredBenchmarks();
    benchmark::RegisterBenchmark(name, [body](benchmark::State& state) mutable {
        for (auto _ : state) body();
    });
    time_reporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    return shown(reporter.nanoseconds);
}

template <class Body> std::string by_catch2(const char* name, const Body& body) {
    try {
        BENCHMARK(std::string(name)) { return body(); };
        return shown(catch2_mean_ns);
    } catch (const std::exception& e) { return std::string("refused: ") + e.what(); }
}

template <class Body> std::string by_perfspec(const Body& body) {
    const perfspec::evaluation r = perfspec::evaluate(perfspec::latency(perfspec::subject("body", body)));
    return r.estimate ? shown(r.estimate->median)
                      : std::string(perfspec::to_string(r.verdict)) + ": " + r.reason.substr(0, 40);
}

template <class Body> std::string verdict_of(const Body& body) {
    const auto a = perfspec::subject("a", body);
    const auto b = perfspec::subject("b", body);
    return perfspec::to_string(perfspec::evaluate(perfspec::speedup(a, b) > 0.95).verdict);
}

/// Each harness keeps the result in its own way, so that the body only returns it.
template <int Count> void compare(const char* name) {
    std::uint64_t x = 88172645463325252ULL;
    const auto body = [&x] { return x = steps(x, Count); };
    add_row("perfspec", name, [&] { return by_perfspec(body); });
    add_row("Google Benchmark", name, [&] { return by_google(name, [&body] { benchmark::DoNotOptimize(body()); }); });
    add_row("Catch2 BENCHMARK", name, [&] { return by_catch2(name, body); });
    add_row("perfspec, a verdict", name, [&] { return verdict_of(body); });
}

}  // namespace

TEST_CASE("what a harness adds to a body") {
    add_row("perfspec", "empty", [] { return by_perfspec([] {}); });
    add_row("Google Benchmark", "empty", [] { return by_google("empty", [] {}); });
    add_row("Catch2 BENCHMARK", "empty", [] { return by_catch2("empty", [] {}); });
    compare<1>("1 step");
    compare<10>("10 steps");
    compare<100>("100 steps");
    std::printf("\n  %-24s %-10s %-66s %12s\n", "harness", "body", "reported an iteration", "wall time");
    for (const std::string& row : rows) std::printf("%s\n", row.c_str());
}
