// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/rank_test.hpp>

#include <support/test.hpp>

#include <numeric>
#include <random>

using namespace perfspec;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Counts of U over all orders, one by one: a letter for each value from the smallest on.
std::vector<std::uint64_t> enumerated(std::size_t stored, std::size_t fresh) {
    std::vector<std::uint64_t> counts(stored * fresh + 1);
    std::string order = std::string(fresh, 'f') + std::string(stored, 's');
    do {
        std::size_t larger = stored;
        std::size_t u = 0;
        for (const char letter : order) {
            if (letter == 's') --larger;
            else u += larger;
        }
        ++counts[u];
    } while (std::next_permutation(order.begin(), order.end()));
    return counts;
}

std::vector<double> one_to(std::size_t n) {
    std::vector<double> values(n);
    std::iota(values.begin(), values.end(), 1.0);
    return values;
}

stored_rank_test after(const std::vector<double>& processes, stored_rank_test test) {
    for (const double process : processes) test.add(process);
    return test;
}

/// Rates of decisions if all orders of stored and fresh processes are equally probable. Each fresh process falls into a
/// gap between stored ones in proportion to one plus the fresh ones already in the gap.
struct simulated_rates {
    double violated = 0;
    double holds = 0;
};

simulated_rates simulate(std::size_t stored, direction claimed, std::size_t runs, stored_rank_rates limits = {}) {
    const stored_rank_test fresh_test(one_to(stored), claimed, 0, limits);
    std::mt19937_64 random(stored);
    simulated_rates rates;
    for (std::size_t run = 0; run < runs; ++run) {
        auto test = fresh_test;
        std::vector<std::size_t> gaps(stored + 1);
        std::iota(gaps.begin(), gaps.end(), std::size_t{0});
        while (test.is_open()) {
            gaps.push_back(gaps[std::uniform_int_distribution<std::size_t>(0, gaps.size() - 1)(random)]);
            test.add(static_cast<double>(gaps.back()) + 0.5);
        }
        rates.violated += test.decided() == decision::violated ? 1 : 0;
        rates.holds += test.decided() == decision::holds ? 1 : 0;
    }
    return {rates.violated / static_cast<double>(runs), rates.holds / static_cast<double>(runs)};
}

std::vector<double> repeated(double value, std::size_t times) { return std::vector<double>(times, value); }

std::vector<double> about_100() { return {98, 99, 99.5, 100, 100, 100.5, 101, 101, 102, 102.5}; }

drifting_rank_test after(double process, drifting_rank_test test) {
    while (test.is_open()) test.add(process);
    return test;
}

}  // namespace

TEST_CASE("rank sums are counted as by enumeration of all orders", "[stats][unit]") {
    for (std::size_t fresh = 1; fresh <= 6; ++fresh) CHECK(detail::rank_sum_counts(10, fresh) == enumerated(10, fresh));
}

TEST_CASE("all orders of forty and twenty are counted exactly", "[stats][unit]") {
    const auto counts = detail::rank_sum_counts(40, 20);
    CHECK(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}) == 4'191'844'505'805'495ULL);  // 60 over 20
    CHECK(std::equal(counts.begin(), counts.end(), counts.rbegin()));
}

TEST_CASE("the largest rank sum within a rate, and that of the next one is beyond it", "[stats][unit]") {
    const auto counts = detail::rank_sum_counts(10, 5);
    CHECK(detail::largest_sum_within(counts, 1.0 / 3003).u == 0);
    const auto none = detail::largest_sum_within(counts, 0.9999 / 3003);
    CHECK(none.u == -1);
    CHECK(none.probability == 0.0);
    const auto limit = detail::largest_sum_within(counts, 0.05);
    CHECK(limit.probability <= 0.05);
    CHECK(limit.probability + static_cast<double>(counts[static_cast<std::size_t>(limit.u) + 1]) / 3003 > 0.05);
}

// stats/README.md, "Stored processes"
TEST_CASE("stored_rank_test decides the reference processes where the reference does", "[stats][unit]") {
    const auto [processes, decided, at, u] = GENERATE(table<std::vector<double>, decision, std::size_t, double>({
        {{11, 12, 13, 14, 15}, decision::violated, 5, 0},
        {{11, 12, 13, 9.5, 11, 11, 11, 11, 11, 11}, decision::violated, 10, 1},
        {{.5, .6}, decision::holds, 2, 20},
        {repeated(5, 20), decision::none, 20, 110},
    }));
    const auto test = after(processes, stored_rank_test(one_to(10), direction::less));
    CHECK(test.decided() == decided);
    CHECK(test.size() == at);
    CHECK(test.u() == u);
    CHECK_FALSE(test.is_open());
}

TEST_CASE("stored_rank_test mirrors for claims of more", "[stats][unit]") {
    const auto slow = after({.5, .6, .7, .8, .9}, stored_rank_test(one_to(10), direction::more));
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

TEST_CASE("stored_rank_test keeps its decision and takes twenty processes at most", "[stats][unit]") {
    auto held = after({.5, .6}, stored_rank_test(one_to(10), direction::less));
    CHECK(held.add(100) == decision::holds);
    CHECK(held.size() == 2);
    auto spent = after(repeated(5, 20), stored_rank_test(one_to(10), direction::less));
    CHECK(spent.add(100) == decision::none);
    CHECK(spent.size() == 20);
}

TEST_CASE("stored_rank_test looks for violations after five, ten and twenty processes", "[stats][unit]") {
    std::vector<std::size_t> processes;
    std::vector<std::int64_t> violated;
    std::vector<std::int64_t> holds;
    for (const auto& look : detail::stored_rank_looks(40, {})) {
        processes.push_back(look.processes);
        violated.push_back(look.violated);
        holds.push_back(look.holds);
    }
    CHECK(processes == std::vector<std::size_t>{2, 3, 5, 10, 20});
    CHECK(violated == std::vector<std::int64_t>{-1, -1, 15, 63, 192});
    CHECK(holds == std::vector<std::int64_t>{6, 13, 38, 95, 237});
}

TEST_CASE("stored_rank_test says how many processes a small rate needs", "[stats][unit]") {
    CHECK(stored_rank_test(one_to(10), direction::less).processes_to_violate() == 5);
    CHECK(stored_rank_test(one_to(10), direction::less, 0, {.violated = .0005}).processes_to_violate() == 10);
    CHECK(stored_rank_test(one_to(10), direction::less, 0, {.violated = 1e-9}).processes_to_violate() >
          stored_rank_test::max_processes);
}

TEST_CASE("stored_rank_test is wrong at most at its rates where processes are exchangeable", "[stats][unit]") {
    const auto stored = GENERATE(as<std::size_t>{}, 10, 13, 20, 40);
    const auto claimed = GENERATE(direction::less, direction::more);
    const auto wrong = simulate(stored, claimed, 200'000);
    CAPTURE(stored, wrong.violated, wrong.holds);
    CHECK(wrong.violated <= .001 + 3 * .00007);
    CHECK(wrong.violated >= .0006);  // the rate is used up
    CHECK(wrong.holds <= .05 + 3 * .0005);
    CHECK(wrong.holds >= .03);
}

TEST_CASE("a rank test without shares of the rate is wrong more often", "[stats][unit]") {  // the control
    std::vector<std::int64_t> limits(21);
    for (std::size_t processes = 1; processes <= 20; ++processes)
        limits[processes] = detail::largest_sum_within(detail::rank_sum_counts(20, processes), .001).u;
    std::mt19937_64 random(3);
    constexpr int runs = 200'000;
    int violated = 0;
    for (int run = 0; run < runs; ++run) {
        std::vector<std::size_t> gaps(21);
        std::iota(gaps.begin(), gaps.end(), std::size_t{0});
        std::int64_t u = 0;
        bool is_violated = false;
        for (std::size_t processes = 1; processes <= 20; ++processes) {
            gaps.push_back(gaps[std::uniform_int_distribution<std::size_t>(0, gaps.size() - 1)(random)]);
            u += 20 - static_cast<std::int64_t>(gaps.back());
            is_violated = is_violated || u <= limits[processes];
        }
        violated += is_violated ? 1 : 0;
    }
    CHECK(violated > runs / 1000 * 2);
}

TEST_CASE("stored_rank_test cannot judge by fewer than ten or more than forty processes", "[stats][unit]") {
    CHECK_FALSE(stored_rank_test::can_judge(9));
    CHECK(stored_rank_test::can_judge(10));
    CHECK(stored_rank_test::can_judge(40));
    CHECK_FALSE(stored_rank_test::can_judge(41));
    const auto stored = GENERATE(as<std::size_t>{}, 0, 9, 41);
    CHECK_THROWS_AS(stored_rank_test(one_to(stored), direction::less), input_error);
    CHECK_THROWS_WITH(stored_rank_test(one_to(stored), direction::less),
                      ContainsSubstring("found " + std::to_string(stored) + " stored measurements, expected 10 to 40"));
}

TEST_CASE("stored_rank_test refuses values that are none", "[stats][unit]") {
    auto stored = one_to(10);
    stored_rank_test test(stored, direction::less);
    CHECK_THROWS_WITH(test.add(std::nan("")), ContainsSubstring("expected a finite number"));
    CHECK_THROWS_WITH(test.add(-1), ContainsSubstring("the value is -1"));
    CHECK(test.size() == 0);
    stored.back() = std::nan("");
    CHECK_THROWS_AS(stored_rank_test(stored, direction::less), input_error);
}

TEST_CASE("beyond the bound and within the allowance is undecided", "[stats][unit]") {
    const auto test = after(107, drifting_rank_test(about_100(), direction::less, 0.10));
    CHECK(test.decided() == decision::none);
    CHECK(test.is_beyond_bound());
    CHECK_FALSE(test.is_open());
    CHECK(test.size() == 5);  // enough to show that it is within the allowance
}

TEST_CASE("beyond the bound and the allowance is violated", "[stats][unit]") {
    const auto test = after(114, drifting_rank_test(about_100(), direction::less, 0.10));
    CHECK(test.decided() == decision::violated);
    CHECK(test.size() == 5);
}

TEST_CASE("inside the bound holds, with any allowance", "[stats][unit]") {
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
