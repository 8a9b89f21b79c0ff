// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// Each other case differs from this one in one step: compiles without a warning.
#include <perfspec/explain.hpp>
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() {
    PERF_CHECK(latency(f) < 40ms);
    PERF_REQUIRE(speedup(f, g) > 0.95, budget(10s), margin(1_pct), confirm::off);
    PERF_WARN(latency(f) < 0.8 * latency(g));
    PERF_CHECK(1.2 * p99(latency(f)) > p99(latency(g)));
    PERF_CHECK(percentile(cpu_time(f), 99.5) < 1.05 * baseline());
    PERF_CHECK(allocations(f) == 0);
    PERF_CHECK(2 * allocations(f) == allocations(g));
    PERF_CHECK(0 >= allocations(f));
    PERF_CHECK(allocations(f) == baseline());
    PERF_CHECK(allocations(f) == within(baseline(), 3));
    PERF_CHECK(latency(f) == within(3ms, 5_pct));
    PERF_CHECK(within(1.1 * baseline() + 2ms, 100us) == latency(f));
    PERF_CHECK(latency(f) == within(0.8 * latency(g), 5_pct));
    PERF_CHECK(speedup(f, g) == within(1, 0.05));
    PERF_CHECK(p99(latency(f)) == within(p99(latency(g)), pct(20)));
    PERF_CHECK(allocated_bytes(f) <= baseline() + 1_KiB);
    PERF_MEASURE(allocated_bytes(f));
    PERF_CHECK(instructions(f) < 1.02 * baseline());
    PERF_CHECK(branch_misses(f) <= 0.5 * branch_misses(g));
    PERF_CHECK(cache_misses(f) < 10);
    PERF_MEASURE(cycles(f));
    PERF_MEASURE(speedups(f, g, [] { return 3; }), rounds(50));
    PERF_CHECK(peak_memory(f) < 80_MiB);
    const auto model = perfspec::subject("model", f).load([] { return 3; });
    PERF_CHECK(peak_memory(model, including_load) <= baseline() + 1_MiB);
    PERF_CHECK(memory_ratio(model, model, including_load) > 0.9);
    PERF_CHECK(first_call(f) < 0.8 * first_call(g));
    PERF_CHECK(cold_start(perfspec::subject("model", f).load([] { return 3; })) < 2s);
    PERF_CHECK(load_time(f) < 1.2 * baseline());
    PERF_CHECK(device_time(f) < 3ms);
    PERF_CHECK(spread(f) < 7_pct, processes(20));
    PERF_CHECK(complexity(setup([](std::size_t n) { return n; }), [](std::size_t& n) { return n; },
                          {1000, 4000, 16000}) <= order::power(1));
    PERF_CHECK(complexity(setup([](std::size_t n) { return n; }), [](std::size_t& n) { return n; }, {1, 3, 9}) <=
               baseline() + order::power(0.1));
    PERF_CHECK(metric("tokens/s", more_is_better, [] { return 3.5; }) > 3);
    PERF_CHECK(metric("errors", less_is_better, [] { return 3; }) <= 1.1 * baseline());
    PERF_CHECK(peak_memory(f) <= baseline() + 1_MiB);
    PERF_CHECK(peak_memory(f) <= peak_memory(g), processes(9));
    PERF_MEASURE(throughput(perfspec::subject("f", f).items(3)), rounds(20));
    PERF_CHECK(latency([] { do_not_optimize(black_box(100)), clobber_memory(); }) < 1ms);
    const auto sort =
        perfspec::subject("sort", perfspec::setup([] { return 1; }), [](int& input) { ++input; }).axis("n", 3);
    if (perfspec::in_child()) PERF_CHECK(latency(sort) < 1.05 * baseline());
    else PERF_CHECK(latency(sort) < baseline() + 2ms);
    if (perfspec::evaluate(perfspec::latency(f) < std::chrono::milliseconds(3)).failed) f();
}
