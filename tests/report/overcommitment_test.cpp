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

TEST_CASE("launches are overcommitted where more than a quarter of them ran beside too many threads",
          "[report][unit]") {
    struct row {
        std::size_t beside;
        std::size_t launches;
        bool expected;
    };
    const auto [beside, launches, expected] = GENERATE(Catch::Generators::values<row>(
        {{0, 0, false}, {0, 20, false}, {1, 4, false}, {5, 20, false}, {6, 20, true}, {1, 3, true}}));
    CAPTURE(beside, launches);
    claim_result result;
    result.disturbed.overcommitted = beside;
    result.evidence.launches = launches;
    CHECK(are_launches_overcommitted(result) == expected);
}

TEST_CASE("more than two threads a core take turns, but none on an unknown number of cores", "[report][unit]") {
    CHECK_FALSE(is_overcommitted(8, 4));
    CHECK(is_overcommitted(9, 4));
    CHECK_FALSE(is_overcommitted(9, 0));
}

TEST_CASE("overcommitment_text names threads, cores and launches", "[report][unit]") {
    claim_result result;
    result.disturbed = beside(3, 1);
    result.disturbed.overcommitted = 1;
    result.evidence.launches = 1;
    CHECK(overcommitment_text(result) ==
          "up to 3 threads wanted to run on 1 core, in 1 of 1 launch more than two a core");
}

}  // namespace perfspec::detail
