// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// What the statistics cost: nanoseconds a pair of the sequential test, and of one centre and one interval, by the
// number of pairs. Prints a table and judges nothing.

#include <perfspec/stats/interval.hpp>
#include <perfspec/stats/sequential.hpp>
#include <perfspec/stats/summary.hpp>

#include "../support/noise.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

using namespace perfspec::testing;

/// The shortest of several calls, in nanoseconds.
template <class Body> double shortest(int calls, const Body& body) {
    using clock = std::chrono::steady_clock;
    double least = 1e18;
    for (int i = 0; i < calls; ++i) {
        const auto start = clock::now();
        body();
        least = std::min(least, std::chrono::duration<double, std::nano>(clock::now() - start).count());
    }
    return least;
}

volatile double sink;

/// A test that never decides, so that every pair is added to both e-processes and looked at.
perfspec::sequential undecidable() {
    perfspec::sequential_settings s;
    s.false_failure = s.false_pass = 1e-300;
    return perfspec::sequential(s);
}

void print_row(std::size_t pairs) {
    dice random(7);
    const auto ratios = paired_log_ratios(noise_kind::cauchy, pairs, 0, pair_order::random, random);
    const double sequential_ns = shortest(20, [&] {
        auto test = undecidable();
        for (const double r : ratios) test.add(r);
        sink = test.progress().log_e_violated;
    });
    const double centre_ns = shortest(20, [&] { sink = perfspec::hodges_lehmann(ratios); });
    const double interval_ns = shortest(3, [&] { sink = perfspec::signed_rank_interval(ratios).low; });
    std::printf("%6zu %22.0f %14.1f %16.1f\n", pairs, sequential_ns / static_cast<double>(pairs), centre_ns / 1e3,
                interval_ns / 1e3);
}

}  // namespace

int main() {
    std::printf(" pairs  sequential, ns a pair   centre, us     interval, us\n");
    for (const std::size_t pairs : {10U, 30U, 100U, 300U, 1000U, 2000U}) print_row(pairs);
}
