// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/language/queries.hpp>

#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/quantity/text.hpp>

#include <support/test.hpp>
#include <support/written_query.hpp>

namespace perfspec {
namespace {

using namespace testing;
using Catch::Matchers::ContainsSubstring;

}  // namespace

TEST_CASE("threads may copy subjects and queries at the same time", "[language][unit]") {
    const auto held = std::make_shared<int>(7);
    {
        const subject body("body", [held] { return *held; });
        const auto shared = latency(body);
        const auto copy = [&] {
            for (int i = 0; i < 100'000; ++i) {
                const std::array subjects{body, body};
                const std::array queries{shared, shared};
            }
        };
        const std::array<std::jthread, 3> threads{std::jthread(copy), std::jthread(copy), std::jthread(copy)};
    }
    CHECK(held.use_count() == 1);
}

TEST_CASE("queries describe themselves as they are written", "[language][unit]") {
    const subject a("a", [] {});
    const subject b("b", [] {});
    CHECK(words(latency(a)) == "latency(a)");
    CHECK(words(cpu_time(a)) == "cpu_time(a)");
    CHECK(words(speedup(a, b)) == "speedup(a, b)");
    CHECK(words(speedup(cpu_time(a), cpu_time(b))) == "speedup(cpu_time(a), cpu_time(b))");
    CHECK(words(speedup(latency(a), latency(b))) == "speedup(latency(a), latency(b))");
    CHECK(words(percentile(latency(a), 50)) == "p50(latency(a))");
    CHECK(words(percentile(latency(a), 90)) == "p90(latency(a))");
    CHECK(words(percentile(cpu_time(a), 95)) == "p95(cpu_time(a))");
    CHECK(words(p99(latency(a))) == "p99(latency(a))");
    CHECK(words(percentile(latency(a), 99.5)) == "percentile(latency(a), 99.5)");
    CHECK(words(percentile(latency(a), 99)) == "p99(latency(a))");  // one query, one key
    CHECK(words(allocations(a)) == "allocations(a)");
    CHECK(words(allocated_bytes(a)) == "allocated_bytes(a)");
    CHECK(words(instructions(a)) == "instructions(a)");
    CHECK(words(cycles(a)) == "cycles(a)");
    CHECK(words(branch_misses(a)) == "branch_misses(a)");
    CHECK(words(cache_misses(a)) == "cache_misses(a)");
    CHECK(words(peak_memory(a)) == "peak_memory(a)");
    CHECK(words(memory_ratio(a, b)) == "memory_ratio(a, b)");
    CHECK(words(spread(a)) == "spread(a)");
    CHECK(words(cold_start(a)) == "cold_start(a)");
    CHECK(words(first_call(a)) == "first_call(a)");
    CHECK(words(load_time(a)) == "load_time(a)");
    CHECK(words(metric("tokens/s", more_is_better, a)) == "metric(tokens/s, a)");
    CHECK(words(speedups(a, b, a)) == "speedups(a, b, a)");
    CHECK(words(throughput(a)) == "throughput(a)");
    CHECK(words(throughput(a, bytes)) == "throughput(a, bytes)");
    CHECK(words(throughput(a, flops)) == "throughput(a, flops)");
}

TEST_CASE("queries that are no row of the table alone know their unit and which direction is better",
          "[language][unit]") {
    const subject a("a", [] {});
    check_query(latency(a), detail::metrics::latency, dimension::time, better::less);
    check_query(speedup(a, a), detail::metrics::latency, dimension::ratio, better::more);
    check_query(speedup(cpu_time(a), cpu_time(a)), detail::metrics::cpu_time, dimension::ratio, better::more);
    check_query(peak_memory(a, including_load), detail::metrics::peak_memory, dimension::bytes, better::less);
    check_query(memory_ratio(a, a, including_load), detail::metrics::peak_memory, dimension::ratio, better::more);
    check_query(metric("tokens/s", more_is_better, a), detail::metrics::own, dimension::own, better::more);
    check_query(throughput(a), detail::metrics::throughput, dimension::item_rate, better::more);
    check_query(throughput(a, bytes), detail::metrics::throughput, dimension::byte_rate, better::more);
    check_query(throughput(a, flops), detail::metrics::throughput, dimension::flop_rate, better::more);
}

TEST_CASE("percentiles say which, and of what", "[language][unit]") {
    const subject a("a", [] {});
    const auto check = [](const detail::expression& q, metric_kind m, double percent) {
        CHECK(q.node().query().statistic == statistic::percentile);
        CHECK(q.node().query().metric == m);
        CHECK(q.node().query().percent == percent);
        CHECK(q.node().query().unit == dimension::time);
        CHECK(q.node().query().direction == better::less);
    };
    check(percentile(latency(a), 50), detail::metrics::latency, 50);
    check(percentile(latency(a), 90), detail::metrics::latency, 90);
    check(percentile(latency(a), 95), detail::metrics::latency, 95);
    check(p99(cpu_time(a)), detail::metrics::cpu_time, 99);
    check(percentile(latency(a), 99.5), detail::metrics::latency, 99.5);
    CHECK(latency(a).node().query().statistic == statistic::median);
}

TEST_CASE("percentiles but the 50th need single iterations", "[language][unit]") {
    const subject a("a", [] {});
    CHECK(needs_single_iterations(p99(latency(a)).node().query()));
    CHECK(needs_single_iterations(percentile(latency(a), 75).node().query()));
    CHECK_FALSE(needs_single_iterations(percentile(latency(a), 50).node().query()));
    CHECK_FALSE(needs_single_iterations(latency(a).node().query()));
}

TEST_CASE("percentiles refuse what is too rare, or given as a fraction", "[language][unit]") {
    const subject a("a", [] {});
    const double percent = GENERATE(99.9, 99.51, 0.9, 49.0, 0.0, -1.0, 100.0, std::numeric_limits<double>::quiet_NaN());
    CHECK_THROWS_AS(percentile(latency(a), percent), input_error);
    CHECK_THROWS_WITH(
        percentile(latency(a), 99.9),
        "percentile: found 99.9, expected 50 to 99.5 percent: percentile(latency(x), 99.5), or p99(latency(x)). A "
        "higher percentile needs more iterations than perfspec takes");
}

TEST_CASE("percentiles are compared with their like", "[language][unit]") {
    const subject a("a", [] {});
    const subject b("b", [] {});
    const claim c = 1.2 * p99(latency(a)) > p99(latency(b));
    const auto& bound = std::get<query_bound>(c.node().terms().bound);
    CHECK(bound.factor == 1.2);
    CHECK(bound.other.statistic == statistic::percentile);
    CHECK(c.node().terms().compared == comparison::less);
    CHECK(c.node().query().percent == 99);
    CHECK(std::holds_alternative<stored_bound>((p99(latency(a)) < 1.05 * baseline()).node().terms().bound));
}

TEST_CASE("queries take bare callables", "[language][unit]") {
    const auto q = speedup([] {}, [] { return 1; });
    REQUIRE(q.node().query().subjects.size() == 2);
    CHECK(q.node().query().subjects[0].name().empty());
    CHECK(q.node().query().is_ratio());
}

TEST_CASE("queries hold their subjects alive", "[language][unit]") {
    int alive = 0;
    struct guard {
        int* n;
        explicit guard(int& counter) : n(&counter) { ++*n; }
        guard(const guard& other) : n(other.n) { ++*n; }
        guard& operator=(const guard&) = delete;
        ~guard() { --*n; }
    };
    {
        const auto q = latency(subject("x", [g = guard(alive)] { return g.n; }));
        CHECK(alive == 1);
        const claim c = q < 1.0 * q;
        CHECK(alive == 1);
    }
    CHECK(alive == 0);
}

TEST_CASE("speedup refuses two different metrics", "[language][unit]") {
    const subject a("a", [] {});
    CHECK_THROWS_AS(speedup(cpu_time(a), latency(a)), input_error);
    CHECK_THROWS_RECORDED(std::exception, speedup(latency(a), cpu_time(a)));
}

TEST_CASE("same_output is a claim without a bound", "[language][unit]") {
    const subject a("a", [] {});
    const subject b("b", [] {});
    const claim c = same_output(a, b);
    const auto& of = std::get<output_claim>(c.node().says);
    CHECK(of.reference.name() == "a");
    CHECK(of.candidate.name() == "b");
}

TEST_CASE("united_axes sorts the axes of all subjects by name", "[language][unit]") {
    const std::vector<subject> subjects{subject("a", [] {}).axis("n", 8).axis("layout", "nchw"),
                                        subject("b", [] {}).axis("batch", 2).axis("n", 8)};
    CHECK(united_axes(subjects) ==
          std::vector<std::pair<std::string, std::string>>{{"batch", "2"}, {"layout", "nchw"}, {"n", "8"}});
    CHECK(united_axes({}).empty());
}

TEST_CASE("united_axes refuses one axis with two values", "[language][unit]") {
    const std::vector<subject> subjects{subject("a", [] {}).axis("n", 8), subject("b", [] {}).axis("n", 9)};
    CHECK_THROWS_AS(united_axes(subjects), input_error);
    CHECK_THROWS_RECORDED(std::exception, united_axes(subjects));
}

TEST_CASE("a setting that subjects of one query do not share is no axis of it", "[language][unit]") {
    using axes = std::vector<std::pair<std::string, std::string>>;
    const auto configured = [](const char* threads) {
        const subject made = subject("a", [] {}).axis("threads", threads).axis("dtype", "double");
        made.state().settings = {"threads", "dtype"};
        return made;
    };
    const std::vector<subject> both{configured("1"), configured("2")};
    CHECK(united_axes(both) == axes{{"dtype", "double"}});
    CHECK(distinguishing_settings(both[0], both) == axes{{"threads", "1"}});
    CHECK(distinguishing_settings(both[1], both) == axes{{"threads", "2"}});
    const std::vector<subject> one_plain{configured("1"), subject("a", [] {})};
    CHECK(united_axes(one_plain).empty());
    CHECK(distinguishing_settings(one_plain[0], one_plain) == axes{{"threads", "1"}, {"dtype", "double"}});
    CHECK(distinguishing_settings(one_plain[1], one_plain).empty());
    CHECK(united_axes({configured("1")}) == axes{{"dtype", "double"}, {"threads", "1"}});
}

TEST_CASE("comparisons are written as in C++", "[language][unit]") {
    CHECK(std::string(to_string(comparison::less)) == "<");
    CHECK(std::string(to_string(comparison::less_equal)) == "<=");
    CHECK(std::string(to_string(comparison::greater)) == ">");
    CHECK(std::string(to_string(comparison::greater_equal)) == ">=");
}

}  // namespace perfspec
