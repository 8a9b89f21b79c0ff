// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "acted_subject.hpp"

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/process_sample.hpp>

#include <support/test.hpp>

#include <random>

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

/// The order in which two bodies with this cost are run.
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

TEST_CASE("pair_source takes one sample of each and reports them by side, in either order", "[measure][unit]") {
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

TEST_CASE("fresh_seed is fresh, and can be given again as an option", "[measure][unit]") {
    std::set<std::uint64_t> seeds;
    for (int i = 0; i < 8; ++i) seeds.insert(perfspec::fresh_seed());
    CHECK(seeds.size() > 1);  // eight equal draws of 32 bits do not happen
    CHECK(*seeds.rbegin() <= 0xffff'ffffU);
}

TEST_CASE("coin tosses the same for one seed, wherever it was moved", "[measure][unit]") {
    perfspec::random_order a(9);
    perfspec::random_order b(9);
    for (int i = 0; i < 100; ++i) CHECK(a.next() == b.next());
    perfspec::random_order c = std::move(a);
    for (int i = 0; i < 100; ++i) CHECK(c.next() == b.next());
}

using perfspec::block_source;
using perfspec::timed_block;

TEST_CASE("block_source spreads blocks at equal distances over the budget and idles between", "[measure][unit]") {
    stepped_clock time;
    stepped_sleeper rest(time);
    role r{.time = &time, .call = 1ms};
    const perfspec::subject x = acted("x", r);
    const auto c = calibrate_blocks(x, {}, {time, time});
    REQUIRE(c.time.calibrated_ns == 7'000'000);
    block_source source(x, c, {time, time}, rest);
    std::vector<std::int64_t> ends;
    for (int i = 0; i < c.blocks; ++i) {
        CHECK(source.next() == timed_block{std::vector<double>(20, 1e6)});
        ends.push_back(time.now());
    }
    constexpr std::int64_t distance = (1'000'000'000 - 7'000'000) / 20;
    CHECK(rest.slept() == std::vector<std::int64_t>(19, distance - 20'000'000));
    CHECK(ends.front() == 27'000'000);
    CHECK(ends.back() == 27'000'000 + 19 * distance);
    CHECK_FALSE(c.time.spent(ends.back()));
}

TEST_CASE("block_source does not idle where blocks fill the budget", "[measure][unit]") {
    stepped_clock time;
    stepped_sleeper rest(time);
    role r{.time = &time, .call = 100ms};
    const perfspec::subject x = acted("x", r);
    const auto c = calibrate_blocks(x, {}, {time, time});
    block_source source(x, c, {time, time}, rest);
    for (int i = 0; i < 20; ++i) CHECK(source.next() == timed_block{.readings_ns = {100e6}});
    CHECK(rest.slept().empty());
    CHECK(time.now() == c.time.budget_ns);
}

TEST_CASE("block_source continues at the same distance after the planned blocks", "[measure][unit]") {
    stepped_clock time;
    stepped_sleeper rest(time);
    role r{.time = &time, .call = 1ms};
    const perfspec::subject x = acted("x", r);
    block_source source(x, calibrate_blocks(x, {}, {time, time}), {time, time}, rest);
    for (int i = 0; i < 23; ++i) (void)source.next();
    CHECK(rest.slept() == std::vector<std::int64_t>(22, 29'650'000));
}

TEST_CASE("block_source's block is readings for 20 ms of wall time, each from the metric's clock", "[measure][unit]") {
    scripted_clock wall({0ms, 0ms, 10ms, 19'999'999ns, 20ms});  // its turn; the block's start; after each reading
    scripted_clock metric({0us, 300us, 0us, 100us, 0us, 200us});
    stepped_clock unused;
    stepped_sleeper rest(unused);
    perfspec::block_calibration c;
    c.x = {1e3, 0.0, 100};
    c.block_ns = 20e6;
    c.blocks = 20;
    c.time = {0, 0, 1'000'000'000};
    block_source source([] {}, c, {wall, metric}, rest);
    CHECK(source.next() == timed_block{.readings_ns = {3000.0, 1000.0, 2000.0}});
    CHECK(wall.remaining() == 0);
    CHECK(metric.remaining() == 0);
}

TEST_CASE("block_source's block of single iterations is so many readings, however long", "[measure][unit]") {
    stepped_clock time;
    stepped_sleeper rest(time);
    role r{.time = &time, .call = 1ms};
    const perfspec::subject x = acted("x", r);
    perfspec::measuring_settings settings;
    settings.samples = perfspec::sample_kind::single;
    block_source source(x, calibrate_blocks(x, settings, {time, time}), {time, time}, rest);
    CHECK(source.next() == timed_block{std::vector<double>(100, 1e6)});
    r.call = 10us;
    CHECK(source.next() == timed_block{std::vector<double>(100, 1e4)});
}

TEST_CASE("block_source takes no warm calls", "[measure][unit]") {
    stepped_clock time;
    stepped_sleeper rest(time);
    role r{.time = &time, .call = 10us};
    const perfspec::subject x = acted("x", r);
    block_source source(x, calibrate_blocks(x, {}, {time, time}), {time, time}, rest);
    r.log.clear();
    (void)source.next();
    CHECK(r.log == std::vector<std::string>(2000, "run 1"));
}

TEST_CASE("block_source refuses a reading in which the clock did not advance", "[measure][unit]") {
    stepped_clock time;
    stepped_sleeper rest(time);
    perfspec::block_calibration c;
    c.x.call_ns = 1.0;
    block_source source([] {}, c, {time, time}, rest);
    CHECK_THROWS_AS((void)source.next(), perfspec::measurement_failure);
}

TEST_CASE("median_reading is the middle reading, or the mean of the middle two", "[measure][unit]") {
    CHECK(perfspec::detail::median_reading({7.0}) == 7.0);
    CHECK(perfspec::detail::median_reading({9.0, 1.0, 5.0}) == 5.0);
    CHECK(perfspec::detail::median_reading({9.0, 1.0, 4.0, 6.0}) == 5.0);
    CHECK(perfspec::detail::median_reading({1.0, 2.0}) == 1.5);
}
