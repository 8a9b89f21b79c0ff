// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/report/claim_result.hpp>

#include <support/test.hpp>

namespace perfspec::detail {
namespace {

disturbances beside(int runnable, int cores) {
    disturbances seen;
    seen.runnable = runnable;
    seen.cores = cores;
    return seen;
}

}  // namespace

TEST_CASE("processes are lengthened if other work lengthened more than a quarter of them", "[report][unit]") {
    struct row {
        std::size_t beside;
        std::size_t processes;
        bool expected;
    };
    const auto [beside, processes, expected] = GENERATE(Catch::Generators::values<row>(
        {{0, 0, false}, {0, 20, false}, {1, 4, false}, {5, 20, false}, {6, 20, true}, {1, 3, true}}));
    CAPTURE(beside, processes);
    claim_result result;
    result.disturbed.lengthened = beside;
    result.evidence.processes = processes;
    CHECK(are_processes_lengthened(result) == expected);
}

TEST_CASE("lengthening_text names threads, cores and processes", "[report][unit]") {
    claim_result result;
    result.disturbed = beside(3, 1);
    result.disturbed.lengthened = 1;
    result.evidence.processes = 1;
    CHECK(lengthening_text(result) == "other work lengthened 1 of 1 process: up to 3 threads wanted to run on 1 core");
}

}  // namespace perfspec::detail
