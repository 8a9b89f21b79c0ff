// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Neither a framework nor init(): a claim has one stage, and too few rounds for its evidence.
#include "work.hpp"

#include <perfspec/perfspec.hpp>

#include <cstdio>

int main() {
    using namespace perfspec::language;
    const auto fast = perfspec::subject("fast", [] { return work(1); });
    const auto slow = perfspec::subject("slow", [] { return work(10); });
    const perfspec::evaluation result = perfspec::evaluate(speedup(fast, slow) > 0.95, rounds(12));
    std::printf("%s: %s\n", perfspec::to_string(result.verdict), result.reason.c_str());
    return perfspec::exit_code();
}
