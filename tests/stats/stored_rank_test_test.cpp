// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/stored_rank_test.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using perfspec::claim_sides;
using perfspec::decision;
using perfspec::direction;
using perfspec::stored_rank_test;

namespace {

std::vector<double> one_to(std::size_t n) {
    std::vector<double> values(n);
    std::iota(values.begin(), values.end(), 1.0);
    return values;
}

stored_rank_test after(const std::vector<double>& launches, stored_rank_test test) {
    for (const double launch : launches) test.add(launch);
    return test;
}

struct rates {
    double violated = 0;
    double holds = 0;
};

/// Sums the probabilities of all orders of old and new launches, the next one falling into each gap between the stored
/// ones in proportion to one more than the new ones already there.
void enumerate(const stored_rank_test& test, std::vector<double>& in_gap, double probability, rates& sum) {
    if (test.decided() == decision::violated) sum.violated += probability;
    if (test.decided() == decision::holds) sum.holds += probability;
    if (test.decided() != decision::none || test.exhausted()) return;
    const auto weights = static_cast<double>(in_gap.size() + test.size());
    for (std::size_t gap = 0; gap < in_gap.size(); ++gap) {
        auto next = test;
        next.add(static_cast<double>(gap) + 0.5);
        const double p = probability * (in_gap[gap] + 1) / weights;
        ++in_gap[gap];
        enumerate(next, in_gap, p, sum);
        --in_gap[gap];
    }
}

rates exact_rates(std::size_t stored, direction claimed, claim_sides sides = claim_sides::one) {
    std::vector<double> in_gap(stored + 1, 0);
    rates sum;
    enumerate(stored_rank_test(one_to(stored), claimed, 0, sides), in_gap, 1, sum);
    return sum;
}

}  // namespace

// stats/README.md, "Stored launches"
TEST_CASE("stored_rank_test decides the reference launches where the reference does", "[stats][unit]") {
    struct row {
        std::vector<double> launches;
        decision decided;
        std::size_t at;
        double u;
    };
    const auto r = GENERATE(values<row>({
        {{11, 12, 13, 14}, decision::violated, 4, 0},
        {{11, 12, 13, 9.5, 11}, decision::violated, 5, 1},
        {{.5, .6}, decision::holds, 2, 20},
        {{5, 5, 5, 5, 5}, decision::none, 5, 27.5},
    }));
    const auto test = after(r.launches, stored_rank_test(one_to(10), direction::less));
    CHECK(test.decided() == r.decided);
    CHECK(test.size() == r.at);
    CHECK(test.u() == r.u);
    CHECK(test.exhausted() == (r.decided == decision::none));
}

TEST_CASE("stored_rank_test mirrors for claims of more", "[stats][unit]") {
    const auto slow = after({.5, .6, .7, .8}, stored_rank_test(one_to(10), direction::more));
    CHECK(slow.decided() == decision::violated);
    CHECK(slow.u() == 0);
    const auto fast = after({11, 12}, stored_rank_test(one_to(10), direction::more));
    CHECK(fast.decided() == decision::holds);
    CHECK(fast.v() == 0);
}

TEST_CASE("stored_rank_test counts ties as a half", "[stats][unit]") {
    const auto test = after({5}, stored_rank_test(one_to(10), direction::less, 0));
    CHECK(test.u() == 5.5);
    CHECK(test.v() == 4.5);
}

TEST_CASE("stored_rank_test moves only the bound of holds by the margin", "[stats][unit]") {
    // 5.02 is beyond 5 but not by .5 %.
    const auto less = after({5.02}, stored_rank_test(one_to(10), direction::less, .005));
    CHECK(less.u() == 5);
    CHECK(less.v() == 4);
    const auto more = after({4.98}, stored_rank_test(one_to(10), direction::more, .005));
    CHECK(more.u() == 4);
    CHECK(more.v() == 5);
}

TEST_CASE("stored_rank_test takes bounds in any order", "[stats][unit]") {
    const std::vector<double> shuffled{7, 2, 10, 1, 9, 4, 3, 8, 6, 5};
    CHECK(after({5.5, 3.5}, stored_rank_test(shuffled, direction::less)).u() == 5 + 7);
}

TEST_CASE("stored_rank_test keeps its decision and takes five launches at most", "[stats][unit]") {
    auto held = after({.5, .6}, stored_rank_test(one_to(10), direction::less));
    CHECK(held.add(100) == decision::holds);
    CHECK(held.size() == 2);
    auto spent = after({5, 5, 5, 5, 5}, stored_rank_test(one_to(10), direction::less));
    CHECK(spent.add(100) == decision::none);
    CHECK(spent.size() == 5);
}

TEST_CASE("stored_rank_test has the rates that the documents name", "[stats][unit]") {  // include/perfspec/README.md, README.md
    double lowest = 1.0;
    double highest = 0.0;
    for (std::size_t n = stored_rank_test::min_stored; n <= stored_rank_test::max_stored; ++n) {
        const double rate = stored_rank_test(std::vector<double>(n, 1.0), direction::less, 0.0).limits().exact.violated;
        lowest = std::min(lowest, rate);
        highest = std::max(highest, rate);
        if (n == 10) CHECK(rate == 0.00186);
    }
    CHECK(lowest == 0.00175);
    CHECK(highest == 0.00197);
}

TEST_CASE("stored_rank_test has the exact rates of its table", "[stats][unit]") {  // stats/README.md, "Stored launches"
    struct row {
        std::size_t stored;
        double violated_percent, holds_percent;
    };
    const auto r = GENERATE(values<row>({
        {10, .186, 4.79},
        {11, .197, 4.97},
        {12, .175, 4.93},
        {13, .184, 4.96},
        {14, .196, 4.89},
        {15, .181, 4.91},
        {16, .187, 4.91},
        {17, .194, 4.81},
        {18, .179, 4.79},
        {19, .184, 4.74},
        {20, .190, 4.97},
    }));
    const auto claimed = GENERATE(direction::less, direction::more);
    const auto exact = exact_rates(r.stored, claimed);
    CAPTURE(r.stored, exact.violated, exact.holds);
    CHECK_THAT(100 * exact.violated, WithinAbs(r.violated_percent, .0005));
    CHECK_THAT(100 * exact.holds, WithinAbs(r.holds_percent, .005));

    const auto& limits = stored_rank_test(one_to(r.stored), claimed).limits();
    CHECK(limits.stored == r.stored);
    CHECK_THAT(100 * limits.exact.violated, WithinAbs(r.violated_percent, 1e-9));
    CHECK_THAT(100 * limits.exact.holds, WithinAbs(r.holds_percent, 1e-9));
}

TEST_CASE("stored_rank_test has the exact rates of one side of two, below half of those of one", "[stats][unit]") {
    struct row {
        std::size_t stored;
        double violated_percent, holds_percent;
    };
    const auto r = GENERATE(values<row>({
        {10, .100, 4.79},
        {11, .092, 4.97},
        {12, .097, 4.93},
        {13, .084, 4.96},
        {14, .100, 4.89},
        {15, .092, 4.91},
        {16, .091, 4.91},
        {17, .091, 4.81},
        {18, .096, 4.79},
        {19, .098, 4.74},
        {20, .097, 4.97},
    }));
    const auto claimed = GENERATE(direction::less, direction::more);
    const auto exact = exact_rates(r.stored, claimed, claim_sides::two);
    CAPTURE(r.stored, exact.violated, exact.holds);
    CHECK(exact.violated <= .001);
    CHECK_THAT(100 * exact.violated, WithinAbs(r.violated_percent, .0005));
    CHECK_THAT(100 * exact.holds, WithinAbs(r.holds_percent, .01));

    const auto& limits = stored_rank_test(one_to(r.stored), claimed, 0, claim_sides::two).limits();
    CHECK(limits.stored == r.stored);
    CHECK_THAT(100 * limits.exact.violated, WithinAbs(r.violated_percent, 1e-9));
    CHECK_THAT(100 * limits.exact.holds, WithinAbs(r.holds_percent, 1e-9));
}

TEST_CASE("stored_rank_test cannot judge by fewer than ten or more than twenty launches", "[stats][unit]") {
    CHECK_FALSE(stored_rank_test::can_judge(9));
    CHECK(stored_rank_test::can_judge(10));
    CHECK(stored_rank_test::can_judge(20));
    CHECK_FALSE(stored_rank_test::can_judge(21));
    const auto stored = GENERATE(as<std::size_t>{}, 0, 9, 21);
    CHECK_THROWS_AS(stored_rank_test(one_to(stored), direction::less), perfspec::input_error);
    CHECK_THROWS_WITH(stored_rank_test(one_to(stored), direction::less),
                      ContainsSubstring("found " + std::to_string(stored) + " stored launches, needs 10 to 20"));
}

TEST_CASE("stored_rank_test refuses values and margins that are none", "[stats][unit]") {
    auto stored = one_to(10);
    CHECK_THROWS_WITH(stored_rank_test(stored, direction::less, -.1), ContainsSubstring("margin: found -0.1"));
    stored_rank_test test(stored, direction::less);
    CHECK_THROWS_WITH(test.add(std::nan("")), ContainsSubstring("needs a finite number"));
    CHECK_THROWS_WITH(test.add(-1), ContainsSubstring("found the launch value -1"));
    CHECK(test.size() == 0);
    stored.back() = std::nan("");
    CHECK_THROWS_AS(stored_rank_test(stored, direction::less), perfspec::input_error);
}
