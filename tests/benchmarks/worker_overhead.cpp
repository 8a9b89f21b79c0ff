// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// What it costs to have a subject in a worker, in one run: a round trip besides what it times; a ratio by perfspec
// beside the ratio of a hand-written loop in the same process; what a second worker costs that has just worked and now
// rests, by its OMP_WAIT_POLICY. Needs a Python with torch.
//     perfspec_worker_overhead
#include <perfspec/measure/sample.hpp>
#include <perfspec/perfspec.hpp>
#include <perfspec/python.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

namespace {

using namespace perfspec;

double median_of(std::vector<double> values) {
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
    return values[values.size() / 2];
}

double timed_ns(const subject& x, std::uint64_t iterations = 1, warm_call warm = warm_call::no) {
    monotonic_clock wall;
    return static_cast<double>(take_sample(x, iterations, warm, wall).elapsed_ns);
}

/// The time of a request and its answer without what the worker timed: back to back, as within a round.
void show_round_trips(const subject& empty) {
    monotonic_clock wall;
    std::vector<double> costs;
    for (int i = 0; i < 2000; ++i) {
        const std::int64_t before = wall.now();
        const double told = timed_ns(empty);
        costs.push_back(static_cast<double>(wall.now() - before) - told);
    }
    std::ranges::sort(costs);
    std::printf("round trip without what it times: median %.1f us, 90 %% below %.1f us\n", costs[1000] / 1e3,
                costs[1800] / 1e3);
}

void show_ratios(const python_subjects& py) {
    std::printf("two products / a product:  perfspec (95 %%)          hand-written loop, in turn\n");
    for (int i = 0; i < 3; ++i) {
        const evaluation ours = evaluate(speedup(py("two products").unverified(), py("a product")));
        const evaluation theirs = evaluate(metric("ratio", more_is_better, py("hand-written ratio")));
        if (!ours.estimate || !theirs.estimate) {
            std::printf("  not measured: %s%s\n", ours.reason.c_str(), theirs.reason.c_str());
            return;
        }
        std::printf("  %.4f (%.4f .. %.4f)                          %.4f (%.4f .. %.4f)\n", ours.estimate->centre,
                    ours.estimate->low, ours.estimate->high, theirs.estimate->centre, theirs.estimate->low,
                    theirs.estimate->high);
    }
}

struct product {
    const char* name;  ///< as a subject
    std::uint64_t in_a_sample;
};

/// How much longer a product takes where another worker has just computed than where its own worker has just computed
/// as much. Both leave the caches to other numbers, so what is left is what an idle worker costs. Whether its own
/// worker's product before it matters shows beside that.
void show_neighbour(const char* policy, product x, warm_call warm) {
    const python_subjects py("worker_overhead.py", {.environment = {{"OMP_WAIT_POLICY", policy}}});
    const python_subjects other("worker_overhead.py",
                                {.environment = {{"OMP_WAIT_POLICY", policy}}, .process = "other"});
    const std::string of_others = std::string(x.name) + " of others";
    const subject before[] = {other(of_others), py(of_others), py(x.name)};
    std::vector<double> after[std::size(before)];
    for (int round = -10; round < 150; ++round)
        for (std::size_t i = 0; i < std::size(before); ++i) {
            const std::size_t turn = (i + static_cast<std::size_t>(round + 10)) % std::size(before);
            run_untimed(before[turn], x.in_a_sample);
            const double elapsed = timed_ns(py(x.name), x.in_a_sample, warm);
            if (round >= 0) after[turn].push_back(elapsed);
        }
    const double quiet = median_of(after[1]);
    std::printf("%-16s %-7s %-3s %8.3f ms %6.3f %6.3f\n", x.name, policy, warm == warm_call::yes ? "yes" : "no",
                quiet / 1e6 / static_cast<double>(x.in_a_sample), median_of(after[0]) / quiet,
                median_of(after[2]) / quiet);
}

}  // namespace

int main() {
    const python_subjects py("worker_overhead.py");
    show_round_trips(py("empty"));
    show_ratios(py);
    std::printf(
        "subject          waiting warm     a call  after another worker, after itself; after other work of its worker: 1\n");
    for (const char* const policy : {"passive", "active"})
        for (const product x :
             {product{"a product", 14}, product{"a large product", 1}, product{"a larger product", 1}})
            for (const warm_call warm : {warm_call::no, warm_call::yes}) show_neighbour(policy, x, warm);
}
