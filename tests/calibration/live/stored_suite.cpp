// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A typical suite on stored times and stored ratios. SLOWER_PERCENT=20 makes every subject with stored processes
// slower. stored_suite.py records it and counts the verdicts of later runs.

#include "live_workloads.hpp"

#include <perfspec/catch2.hpp>

#include <cstddef>
#include <cstdlib>
#include <string>

namespace {

using perfspec::testing::live_workload;

std::size_t units_asked_for() {
    const char* percent = std::getenv("SLOWER_PERCENT");
    return live_workload::usual_units + (percent == nullptr ? 0 : static_cast<std::size_t>(std::atoi(percent)));
}

/// Returns no output, because outputs of unequal amounts of work would differ and make a speedup an error.
perfspec::subject working(const std::string& name, const live_workload& w, std::size_t units) {
    return perfspec::subject(name, [work = w.work, units] { perfspec::do_not_optimize(work(units)); });
}

}  // namespace

TEST_CASE("times", "[stored]") {
    for (const live_workload& w : perfspec::testing::live_workloads()) {
        PERF_CHECK(latency(working(w.name, w, units_asked_for())) < 1.05 * baseline());
    }
}

TEST_CASE("ratios", "[stored]") {
    for (const live_workload& w : perfspec::testing::live_workloads()) {
        const auto twice = working("twice " + w.name, w, 2 * live_workload::usual_units);
        PERF_CHECK(speedup(twice, working(w.name, w, units_asked_for())) > 0.95 * baseline());
    }
}
