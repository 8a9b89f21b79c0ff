// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// A user's own p99, percentile and keep in the global namespace are called inside the macros, beside ours:
// compiles without a warning.
#include <perfspec/perfspec.hpp>

#include <concepts>
#include <span>
#include <string_view>
#include <vector>

void f();
void g();

double p99(std::span<const double> values);  // needs a conversion: a template of ours for all types would be preferred
double percentile(std::span<const double> values, double percent);
void do_not_optimize(const std::vector<double>& values);
double baseline(std::span<const double> values);  // the implementation that another one is compared with
const double median = 3.0;
double instructions(std::string_view mnemonic);  // takes what would be a subject's name
double cycles(std::string_view mnemonic, int operands);

void test(const std::vector<double>& ratios, std::vector<double>& times) {
    PERF_CHECK(speedup(f, g) > p99(ratios));
    PERF_CHECK(speedup(f, g) > percentile(ratios, 5));
    PERF_CHECK(p99(latency(f)) < 1.2 * p99(latency(g)));
    PERF_CHECK(percentile(latency([&] { do_not_optimize(times); }), 95) < 1ms);
    PERF_CHECK(speedup([&] { return baseline(ratios); }, g) > median);
    PERF_CHECK(speedup(f, g) > instructions("add"));
    PERF_CHECK(speedup(f, g) > cycles("add", 3));
    const std::vector<perfspec::subject> all{f, g};
    const std::vector<perfspec::subject> some{all.begin(), all.end()};
    PERF_MEASURE(latency(some.front()));
}
