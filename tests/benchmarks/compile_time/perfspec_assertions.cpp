// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A test case of 6 assertions with 3 lambdas, of which `run` compiles five, as perfspec writes them.

#include <perfspec/catch2.hpp>

#include <string>
#include <vector>

std::vector<int> sorted(const std::vector<int>& v);
int count(const std::string& s, char c);
double mean(const std::vector<double>& v);

TEST_CASE("case 0") {
    std::vector<int> v{3, 1, 2};
    std::string s("abc0");
    std::vector<double> d{1.0, 2.0};
    auto f0 = perfspec::subject("f0", [&] { return sorted(v); });
    auto f1 = perfspec::subject("f1", [&] { return count(s, 'a'); });
    auto f2 = perfspec::subject("f2", [&] { return mean(d); });
    PERF_REQUIRE(speedup(f0, f1) > 0.95);
    PERF_CHECK(latency(f1) < 3ms);
    PERF_CHECK(latency(f1) < 1.05 * baseline());
    PERF_CHECK(cpu_time(f0) < 40us, budget(2s));
    PERF_REQUIRE(latency(f0) < 0.8 * latency(f1));
    PERF_CHECK(speedup(f1, f0) > 0.9 * baseline());
}
