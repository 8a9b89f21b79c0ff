// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/language/expression_node.hpp>
#include <perfspec/language/metric.hpp>
#include <perfspec/language/query.hpp>
#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/quantity/quantity.hpp>
#include <perfspec/quantity/text.hpp>

#include <support/reference.hpp>
#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

const subject& fast() {
    static const subject x("fast", [] {});
    return x;
}
const subject& slow() {
    static const subject x("slow", [] {});
    return x;
}

template <class Bound> void check(const claim& c, double fraction, double offset) {
    const claim_terms& terms = c.node().terms();
    CHECK(terms.compared == comparison::equal);
    CHECK(std::holds_alternative<Bound>(terms.bound));
    REQUIRE(terms.tolerance.has_value());
    CHECK_THAT(terms.tolerance->fraction, WithinRel(fraction, 1e-15));
    CHECK_THAT(terms.tolerance->offset, WithinRel(offset, 1e-15));
}

const query_bound& against(const claim& c) { return std::get<query_bound>(c.node().terms().bound); }

claim_terms side(const claim& c, tolerance_end end) {
    return detail::one_side(c.node().terms(), c.node().query().direction, end);
}
double value_of(const claim_terms& terms) { return std::get<value_bound>(terms.bound).value; }
stored_bound stored_of(const claim_terms& terms) { return std::get<stored_bound>(terms.bound); }

}  // namespace

TEST_CASE("within takes a percentage of every bound", "[language][unit]") {
    check<value_bound>(latency(fast()) == within(3ms, 5_pct), 0.05, 0);
    check<value_bound>(speedup(slow(), fast()) == within(1.0, pct(5)), 0.05, 0);
    check<value_bound>(throughput(fast(), bytes) == within(12_GBps, 5_pct), 0.05, 0);
    check<value_bound>(allocations(fast()) == within(100, 5_pct), 0.05, 0);
    check<value_bound>(p99(latency(fast())) == within(3ms, 20_pct), 0.2, 0);
    check<stored_bound>(latency(fast()) == within(baseline(), 5_pct), 0.05, 0);
    check<stored_bound>(latency(fast()) == within(1.1 * baseline() + 2us, 5_pct), 0.05, 0);
    check<query_bound>(latency(fast()) == within(latency(slow()), 5_pct), 0.05, 0);
    check<query_bound>(p99(latency(fast())) == within(0.8 * p99(latency(slow())), 5_pct), 0.05, 0);
}

TEST_CASE("within takes a quantity in the query's own unit", "[language][unit]") {
    check<value_bound>(latency(fast()) == within(3ms, 100us), 0, 1e5);
    check<value_bound>(latency(fast()) == within(3ms, quantity<dimension::time>{7}), 0, 7);
    check<stored_bound>(latency(fast()) == within(baseline(), 2ms), 0, 2e6);
    check<value_bound>(speedup(slow(), fast()) == within(1, 0.05), 0, 0.05);
    check<stored_bound>(allocations(fast()) == within(baseline(), 3), 0, 3);
    check<value_bound>(peak_memory(fast()) == within(80_MiB, MiB(2)), 0, 2097152);
    check<value_bound>(throughput(fast()) == within(items_per_second(1e6), items_per_second(1e4)), 0, 1e4);
    check<value_bound>(metric("tokens/s", more_is_better, fast()) == within(40, 1.5), 0, 1.5);
}

TEST_CASE("within may stand on either side, and keeps the bound that it is around", "[language][unit]") {
    const claim right = latency(fast()) == within(0.8 * latency(slow()), 5_pct);
    const claim left = within(0.8 * latency(slow()), 5_pct) == latency(fast());
    for (const claim* c : {&right, &left}) {
        check<query_bound>(*c, 0.05, 0);
        CHECK(against(*c).factor == 0.8);
        CHECK(c->node().query().subjects.at(0).name() == "fast");
        CHECK(against(*c).other.subjects.at(0).name() == "slow");
    }
    CHECK(value_of((latency(fast()) == within(3ms, 5_pct)).node().terms()) == 3e6);
    CHECK(stored_of((latency(fast()) == within(1.1 * baseline() + 2us, 5_pct)).node().terms()).offset == 2e3);
}

TEST_CASE("equality without a tolerance has none", "[language][unit]") {
    CHECK_FALSE((allocations(fast()) == 0).node().terms().tolerance.has_value());
    CHECK_FALSE((latency(fast()) < 3ms).node().terms().tolerance.has_value());
}

TEST_CASE("within refuses a tolerance that leaves nothing, or everything", "[language][unit]") {
    static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    static constexpr double infinity = std::numeric_limits<double>::infinity();
    const double by = GENERATE(0.0, -5.0, 100.0, 250.0, nan, infinity);
    CHECK_THROWS_AS(latency(fast()) == within(3ms, pct(by)), input_error);
    if (by <= 0.0 || by != by || by == infinity) CHECK_THROWS_AS(speedup(slow(), fast()) == within(1, by), input_error);
    CHECK_THROWS_WITH(
        latency(fast()) == within(3ms, pct(0)),
        "within: found a tolerance of 0 %, expected a percentage above 0 and below 100, or a positive quantity: "
        "within(baseline(), 5_pct), within(3ms, 0.1ms)");
    CHECK_THROWS_WITH(latency(fast()) == within(3ms, -1us), ContainsSubstring("found a tolerance of -1000, "));
}

TEST_CASE("one_side bounds a value at the end of its tolerance", "[language][unit]") {
    const claim less = latency(fast()) == within(3ms, 10_pct);
    const auto loss = side(less, tolerance_end::loss);
    CHECK(loss.compared == comparison::less_equal);
    CHECK_THAT(value_of(loss), WithinRel(3.3e6, 1e-12));
    CHECK_FALSE(loss.tolerance.has_value());
    const auto gain = side(less, tolerance_end::gain);
    CHECK(gain.compared == comparison::greater_equal);
    CHECK_THAT(value_of(gain), WithinRel(2.7e6, 1e-12));
}

TEST_CASE("one_side knows where more is better", "[language][unit]") {
    const claim more = speedup(slow(), fast()) == within(2, 0.5);
    const auto loss = side(more, tolerance_end::loss);
    CHECK(loss.compared == comparison::greater_equal);
    CHECK(value_of(loss) == 1.5);
    const auto gain = side(more, tolerance_end::gain);
    CHECK(gain.compared == comparison::less_equal);
    CHECK(value_of(gain) == 2.5);
    const claim own = metric("errors", less_is_better, fast()) == within(2, 0.5);
    CHECK(side(own, tolerance_end::loss).compared == comparison::less_equal);
}

TEST_CASE("one_side scales and shifts a baseline, and scales another query", "[language][unit]") {
    const claim stored = latency(fast()) == within(2 * baseline() + 1ms, 10_pct);
    CHECK_THAT(stored_of(side(stored, tolerance_end::loss)).factor, WithinRel(2.2, 1e-12));
    CHECK_THAT(stored_of(side(stored, tolerance_end::loss)).offset, WithinRel(1.1e6, 1e-12));
    const claim shifted = latency(fast()) == within(2 * baseline(), 1ms);
    CHECK(stored_of(side(shifted, tolerance_end::gain)).factor == 2);
    CHECK(stored_of(side(shifted, tolerance_end::gain)).offset == -1e6);
    const claim other = latency(fast()) == within(0.5 * latency(slow()), 10_pct);
    CHECK_THAT(std::get<query_bound>(side(other, tolerance_end::gain).bound).factor, WithinRel(0.45, 1e-12));
}

TEST_CASE("midpoint_of undoes bound_of_side", "[language][unit]") {
    const auto end = GENERATE(tolerance_end::loss, tolerance_end::gain);
    for (const claim& c : {latency(fast()) == within(3ms, 10_pct), latency(fast()) == within(3ms, 1ms)})
        CHECK_THAT(detail::midpoint_of(c.node().terms(), better::less, end,
                                       detail::bound_of_side(c.node().terms(), better::less, end, 3e6)),
                   WithinRel(3e6, 1e-12));
}

TEST_CASE("the reference says of every metric what its row says", "[language][unit]") {
    for (const metric_traits* const row : metric_table) check_reference_of(*row);
}

TEST_CASE("every metric has its own word", "[language][unit]") {
    std::set<std::string_view> words;
    for (const metric_traits* const row : metric_table) CHECK(words.insert(row->word).second);
}

TEST_CASE("what counts a metric is known", "[language][unit]") {
    for (const metric_traits* const row : metric_table) {
        INFO(row->word);
        if (row->from == reading::counter || row->from == reading::processor_counter)
            CHECK_NOTHROW(process_counters().of({*row}));
    }
}

}  // namespace perfspec
