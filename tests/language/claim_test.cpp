// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/language/bound.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/language/query.hpp>
#include <perfspec/language/subjects/body_result.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <support/test.hpp>

#include <variant>

namespace perfspec {
namespace {

using Catch::Matchers::WithinRel;

const subject& fast() {
    static const subject x("fast", [] {});
    return x;
}
const subject& slow() {
    static const subject x("slow", [] {});
    return x;
}

/// The result of a comparison, without the subjects.
struct made {
    comparison compared;
    std::size_t bound;  ///< which of `claim_bound`
    double value;
    double factor;
    double offset;

    friend bool operator==(const made&, const made&) = default;
};

made of(const claim& c) {
    const claim_terms& terms = c.node().terms();
    made found{terms.compared, terms.bound.index(), 0.0, 1.0, 0.0};
    if (const auto* value = std::get_if<value_bound>(&terms.bound)) found.value = value->value;
    if (const auto* stored = std::get_if<stored_bound>(&terms.bound))
        found.factor = stored->factor, found.offset = stored->offset;
    if (const auto* query = std::get_if<query_bound>(&terms.bound)) found.factor = query->factor;
    return found;
}

const query_bound& against(const claim& c) { return std::get<query_bound>(c.node().terms().bound); }

made value(comparison c, double v) { return {c, claim_bound(value_bound{}).index(), v, 1.0, 0.0}; }
made stored(comparison c, double factor, double offset = 0.0) {
    return {c, claim_bound(stored_bound{}).index(), 0.0, factor, offset};
}
made other(comparison c, double factor) { return {c, claim_bound(query_bound{}).index(), 0.0, factor, 0.0}; }

}  // namespace

TEST_CASE("claim has the query on the left, whichever operand it was", "[language][unit]") {
    using enum comparison;
    CHECK(of(latency(fast()) < 3ms) == value(less, 3e6));
    CHECK(of(latency(fast()) <= 3ms) == value(less_equal, 3e6));
    CHECK(of(latency(fast()) > 3ms) == value(greater, 3e6));
    CHECK(of(latency(fast()) >= 3ms) == value(greater_equal, 3e6));
    CHECK(of(3ms > latency(fast())) == value(less, 3e6));
    CHECK(of(3ms >= latency(fast())) == value(less_equal, 3e6));
    CHECK(of(3ms < latency(fast())) == value(greater, 3e6));
    CHECK(of(3ms <= latency(fast())) == value(greater_equal, 3e6));
}

TEST_CASE("claim keeps a bound in base units", "[language][unit]") {
    using enum comparison;
    CHECK(of(latency(fast()) < 1.5us) == value(less, 1500));
    CHECK(of(latency(fast()) < 2min) == value(less, 120e9));
    CHECK(of(cpu_time(fast()) < std::chrono::duration<double>(0.25)) == value(less, 0.25e9));
    CHECK(of(latency(fast()) < quantity<dimension::time>{7}) == value(less, 7));
    CHECK(of(speedup(slow(), fast()) > 0.95) == value(greater, 0.95));
    CHECK(of(speedup(slow(), fast()) > 1) == value(greater, 1));
    CHECK(of(speedup(slow(), fast()) > 2U) == value(greater, 2));
    CHECK(of(1.5F < speedup(slow(), fast())) == value(greater, 1.5));
    CHECK(of(throughput(fast()) > items_per_second(1e6)) == value(greater, 1e6));
    CHECK(of(throughput(fast(), bytes) > 200_MBps) == value(greater, 200e6));
    CHECK(of(throughput(fast(), flops) > 2_GFLOP_per_s) == value(greater, 2e9));
    CHECK(of(12_GBps < throughput(fast(), bytes)) == value(greater, 12e9));
}

TEST_CASE("claim scales and shifts a baseline", "[language][unit]") {
    using enum comparison;
    CHECK(of(latency(fast()) < baseline()) == stored(less, 1));
    CHECK(of(latency(fast()) < 1.05 * baseline()) == stored(less, 1.05));
    CHECK(of(latency(fast()) < baseline() * 1.05) == stored(less, 1.05));
    CHECK(of(latency(fast()) < 2 * baseline()) == stored(less, 2));
    CHECK(of(latency(fast()) < baseline() + 2ms) == stored(less, 1, 2e6));
    CHECK(of(latency(fast()) > baseline() - 2ms) == stored(greater, 1, -2e6));
    CHECK(of(latency(fast()) < 1.1 * baseline() + 2us) == stored(less, 1.1, 2e3));
    CHECK(of(speedup(slow(), fast()) > 0.9 * baseline()) == stored(greater, 0.9));
    CHECK(of(throughput(fast(), bytes) > baseline() - 1_MBps) == stored(greater, 1, -1e6));
    CHECK(of(1.05 * baseline() > latency(fast())) == stored(less, 1.05));
    CHECK(of(baseline() + 2ms >= latency(fast())) == stored(less_equal, 1, 2e6));
}

TEST_CASE("claim takes a percentage of a baseline as a factor", "[language][unit]") {
    const claim more = latency(fast()) < baseline() + 5_pct;
    const claim fewer = throughput(fast()) > baseline() - pct(5);
    const claim both = latency(fast()) < 2 * baseline() - 5_pct;
    CHECK_THAT(of(more).factor, WithinRel(1.05, 1e-15));
    CHECK_THAT(of(fewer).factor, WithinRel(0.95, 1e-15));
    CHECK_THAT(of(both).factor, WithinRel(1.90, 1e-15));
}

TEST_CASE("claim compares two queries", "[language][unit]") {
    using enum comparison;
    CHECK(of(latency(fast()) < latency(slow())) == other(less, 1));
    CHECK(of(latency(fast()) < 0.8 * latency(slow())) == other(less, 0.8));
    CHECK(of(latency(fast()) <= latency(slow()) * 0.8) == other(less_equal, 0.8));
    CHECK(of(0.8 * latency(slow()) > latency(fast())) == other(less, 0.8));
    CHECK(of(throughput(fast()) > 2 * throughput(slow())) == other(greater, 2));
}

TEST_CASE("claim knows which query is which, wherever the bound was written", "[language][unit]") {
    const claim right = latency(fast()) < 0.8 * latency(slow());
    const claim left = 0.8 * latency(slow()) > latency(fast());
    for (const claim* c : {&right, &left}) {
        REQUIRE(c->node().query().subjects.size() == 1);
        REQUIRE(against(*c).other.subjects.size() == 1);
        CHECK(c->node().query().subjects[0].name() == "fast");
        CHECK(against(*c).other.subjects[0].name() == "slow");
    }
}

TEST_CASE("claim of two equal queries takes the left one for the query", "[language][unit]") {
    const claim c = latency(slow()) > latency(fast());
    CHECK(c.node().query().subjects[0].name() == "slow");
}

TEST_CASE("claim may be built from named parts, and outlives them", "[language][unit]") {
    const claim c = [] {
        const auto limit = 0.5 * latency(subject("reference", [] {}));
        const auto q = latency(subject("candidate", [] {}));
        return q < limit;
    }();
    CHECK(of(c) == other(comparison::less, 0.5));
    CHECK(c.node().query().subjects[0].name() == "candidate");
    CHECK(against(c).other.subjects[0].name() == "reference");
}

TEST_CASE("claim is a handle: copies share one node", "[language][unit]") {
    claim first = latency(fast()) < 3ms;
    const claim second = first;  // NOLINT(performance-unnecessary-copy-initialization): the copy is what is tested
    CHECK(&first.node() == &second.node());
    first = speedup(slow(), fast()) > 1;
    CHECK(of(second) == value(comparison::less, 3e6));
    CHECK(of(first) == value(comparison::greater, 1));
    first = *&first;
    CHECK(of(first) == value(comparison::greater, 1));
}

TEST_CASE("baseline_bound multiplies its factors", "[language][unit]") {
    STATIC_REQUIRE(baseline().factor == 1.0);
    STATIC_REQUIRE((2 * baseline() * 3).factor == 6.0);
    STATIC_REQUIRE((baseline() + 50_pct).factor == 1.5);
    STATIC_REQUIRE((baseline() - pct(25)).factor == 0.75);
    STATIC_REQUIRE((2 * baseline() + 50_pct).factor == 3.0);
}

TEST_CASE("shifted_baseline_bound keeps its offset in base units", "[language][unit]") {
    STATIC_REQUIRE((baseline() + 2ms).offset == 2e6);
    STATIC_REQUIRE((3 * baseline() - 2us).offset == -2e3);
    STATIC_REQUIRE((3 * baseline() - 2us).factor == 3.0);
    STATIC_REQUIRE((baseline() + 1_MiB).offset == 1048576.0);
    STATIC_REQUIRE((baseline() - MB(2)).offset == -2e6);
}

TEST_CASE("opaque returns what it was given", "[language][unit]") {
    int x = 3;
    CHECK(black_box(7) == 7);
    CHECK(black_box(2.5) == 2.5);
    CHECK(black_box(&x) == &x);
    CHECK(black_box(std::string("text")) == "text");
    CHECK(*black_box(std::make_unique<int>(5)) == 5);
}

}  // namespace perfspec
