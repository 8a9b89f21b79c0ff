// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A claim on stored processes, for recorded_facts_test.py, which checks the facts that are recorded with them.
#include <perfspec/catch2.hpp>

#include <catch2/catch_test_macros.hpp>

#include <vector>

TEST_CASE("facts") {
    const std::vector<double> numbers(FACTS_NUMBERS, 1.5);
    const auto sum = perfspec::subject("sum", [&] {
        double all = 0;
        for (const double each : numbers) all += each;
        return all;
    });
    PERF_CHECK(latency(sum) < 5 * baseline());
}
