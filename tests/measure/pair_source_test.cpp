// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/failure.hpp>

#include "acted_subject.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <array>
#include <cmath>
#include <random>

using namespace std::chrono_literals;
using namespace perfspec::testing;
using perfspec::pair_calibration;
using perfspec::pair_order;
using perfspec::pair_source;
using perfspec::timed_pair;
using perfspec::warm_call;

namespace {

pair_calibration iterations_of(std::uint64_t a, std::uint64_t b, warm_call warm = warm_call::no) {
    pair_calibration c;
    c.a.iterations = a;
    c.b.iterations = b;
    c.warm = warm;
    return c;
}

/// The order in which two bodies that cost so much are run.
std::vector<pair_order> orders_of(std::uint64_t seed, std::size_t pairs, std::chrono::nanoseconds a,
                                  std::chrono::nanoseconds b) {
    stepped_clock time;
    role first{.time = &time, .call = a};
    role second{.time = &time, .call = b};
    pair_source source(acted("a", first), acted("b", second), iterations_of(1, 1), seed, {time, time});
    std::vector<pair_order> orders;
    while (orders.size() < pairs) orders.push_back(source.next().order);
    return orders;
}

}  // namespace

TEST_CASE("pair_source takes one sample of each and reports them by side, whatever the order", "[measure][unit]") {
    stepped_clock time;
    role a{.time = &time, .call = 20us};
    role b{.time = &time, .call = 70us};
    pair_source source(acted("a", a), acted("b", b), iterations_of(5, 2), 1, {time, time});
    std::array<int, 2> seen{};
    for (int i = 0; i < 20; ++i) {
        const timed_pair p = source.next();
        CHECK(p == timed_pair{{100'000, 5}, {140'000, 2}, p.order});
        ++seen.at(p.order == pair_order::b_first ? 1 : 0);
    }
    CHECK(seen[0] > 0);
    CHECK(seen[1] > 0);
    CHECK(a.log == std::vector<std::string>(20, "run 5"));
    CHECK(b.log == std::vector<std::string>(20, "run 2"));
}

TEST_CASE("pair_source runs first what the order says", "[measure][unit]") {
    std::string ran;
    scripted_clock clock([] {
        std::vector<std::chrono::nanoseconds> readings;
        for (int i = 1; i <= 400; ++i) readings.push_back(std::chrono::nanoseconds(i));
        return readings;
    }());
    pair_source source([&] { ran += 'a'; }, [&] { ran += 'b'; }, iterations_of(1, 1), 7, {clock, clock});
    for (int i = 0; i < 100; ++i) {
        ran.clear();
        const timed_pair p = source.next();
        CHECK(ran == (p.order == pair_order::b_first ? "ba" : "ab"));
    }
}

TEST_CASE("pair_source calls each side once untimed before its sample when it is to be warm", "[measure][unit]") {
    stepped_clock time;
    role a{.time = &time, .call = 20us};
    role b{.time = &time, .call = 20us};
    pair_source source(acted("a", a), acted("b", b), iterations_of(5, 5, warm_call::yes), 1, {time, time});
    CHECK(source.next().a == perfspec::sample{100'000, 5});
    CHECK(a.log == std::vector<std::string>{"run 1", "run 5"});
    CHECK(b.log == std::vector<std::string>{"run 1", "run 5"});
}

TEST_CASE("pair_source reads the metric's clock and not the wall", "[measure][unit]") {
    scripted_clock wall({});
    scripted_clock metric({0us, 3us, 5us, 9us});
    pair_source source([] {}, [] {}, iterations_of(1, 1), 1, {wall, metric});
    const timed_pair p = source.next();
    CHECK(p.a.elapsed_ns + p.b.elapsed_ns == 7000);
}

TEST_CASE("pair_source refuses a sample in which the clock did not advance", "[measure][unit]") {
    scripted_clock clock({0us, 0us, 1us, 1us, 2us, 2us});
    pair_source source([] {}, [] {}, iterations_of(1, 1), 1, {clock, clock});
    CHECK_THROWS_AS((void)source.next(), perfspec::measurement_failure);
}

TEST_CASE("timed_pair's ratio is that of iterations", "[measure][unit]") {
    CHECK_THAT((timed_pair{{100, 5}, {100, 10}}.log_ratio()), Catch::Matchers::WithinAbs(std::log(2.0), 1e-15));
}

TEST_CASE("pair_source orders pairs by the first bit of mt19937_64, one draw a pair", "[measure][unit]") {
    std::mt19937_64 reference{42};
    for (const pair_order order : orders_of(42, 500, 1us, 1us))
        CHECK(order == ((reference() >> 63U) != 0 ? pair_order::b_first : pair_order::a_first));
}

TEST_CASE("pair_source's order does not depend on time or data", "[measure][unit]") {
    const auto orders = orders_of(3, 1000, 1us, 1us);
    CHECK(orders == orders_of(3, 1000, 5us, 1ns));
    CHECK(orders == orders_of(3, 1000, 1ns, 7ms));
    CHECK(orders != orders_of(4, 1000, 1us, 1us));
}

TEST_CASE("pair_source's order is fair, and so are runs of it", "[measure][unit]") {
    constexpr int pairs = 100'000;
    const auto orders = orders_of(2024, pairs, 1us, 1us);
    std::array<int, 8> triples{};
    for (std::size_t i = 2; i < orders.size(); ++i) {
        const auto bit = [&](std::size_t k) { return orders[k] == pair_order::b_first ? 1U : 0U; };
        ++triples.at(bit(i - 2) * 4 + bit(i - 1) * 2 + bit(i));
    }
    // Each of eight patterns: 12500, standard deviation 105 and less; five of them.
    for (const int n : triples) CHECK(std::abs(n - pairs / 8) < 525);
}
