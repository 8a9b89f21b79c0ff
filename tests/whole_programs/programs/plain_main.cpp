// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Assertions without a framework. WHOLE_SLOWER makes them false.
#include "work.hpp"

#include <perfspec/perfspec.hpp>

#include <cstdlib>

int main(int argc, char** argv) {
    perfspec::init(argc, argv);
    const auto fast = perfspec::subject("fast", [] { return work(1); });
    const auto now = perfspec::subject("now", [] { return work(std::getenv("WHOLE_SLOWER") == nullptr ? 1 : 10); });
    PERF_CHECK(speedup(fast, now) > 0.3);
    return perfspec::exit_code();
}
