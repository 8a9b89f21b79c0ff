// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <numeric>
#include <perfspec/catch2.hpp>
#include <vector>

namespace {

const std::vector<double> few(10'000, 1.0);
const std::vector<double> many(40'000, 1.0);  // four times the work: no noise hides that

double sum(const std::vector<double>& numbers) { return std::accumulate(numbers.begin(), numbers.end(), 0.0); }

}  // namespace

TEST_CASE("a claim that holds") {
    perfspec::subject long_sum("long sum", [] { return sum(many); });
    perfspec::subject short_sum("short sum", [] { return sum(few); });
    PERF_CHECK(speedup(long_sum, short_sum) > 1.5);
}

TEST_CASE("a claim that is violated") {
    perfspec::subject long_sum("long sum", [] { return sum(many); });
    perfspec::subject short_sum("short sum", [] { return sum(few); });
    PERF_CHECK(speedup(short_sum, long_sum) > 1.5);
}
