// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/stats/stored/drifting_rank_test.hpp>

#include <catch2/catch_test_macros.hpp>

#include <vector>

using perfspec::decision;
using perfspec::direction;
using perfspec::drifting_rank_test;

namespace {

std::vector<double> about_100() { return {98, 99, 99.5, 100, 100, 100.5, 101, 101, 102, 102.5}; }

drifting_rank_test after(double launch, drifting_rank_test test) {
    while (test.is_open()) test.add(launch);
    return test;
}

}  // namespace

TEST_CASE("beyond the bound and within the allowance is undecided", "[stats][unit]") {
    const auto test = after(107, drifting_rank_test(about_100(), direction::less, 0.10));
    CHECK(test.decided() == decision::none);
    CHECK(test.is_beyond_bound());
    CHECK(test.exhausted());
    CHECK(test.size() == 5);  // that it is within the allowance is plain by then
}

TEST_CASE("beyond the bound and the allowance is violated", "[stats][unit]") {
    const auto test = after(114, drifting_rank_test(about_100(), direction::less, 0.10));
    CHECK(test.decided() == decision::violated);
    CHECK(test.size() == 5);
}

TEST_CASE("inside the bound holds, whatever the allowance", "[stats][unit]") {
    const auto test = after(97, drifting_rank_test(about_100(), direction::less, 0.10));
    CHECK(test.decided() == decision::holds);
    CHECK_FALSE(test.is_beyond_bound());
    CHECK(test.size() == 2);
}

TEST_CASE("the allowance of a claim of more lies below the bound", "[stats][unit]") {
    CHECK(after(93, drifting_rank_test(about_100(), direction::more, 0.10)).decided() == decision::none);
    CHECK(after(88, drifting_rank_test(about_100(), direction::more, 0.10)).decided() == decision::violated);
    CHECK(after(104, drifting_rank_test(about_100(), direction::more, 0.10)).decided() == decision::holds);
}

TEST_CASE("without an allowance it is the rank test", "[stats][unit]") {
    CHECK(after(104, drifting_rank_test(about_100(), direction::less, 0.0)).decided() == decision::violated);
}
