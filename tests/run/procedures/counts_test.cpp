// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../counted_process.hpp"
#include "../stored_program.hpp"

#include <perfspec/baseline/fingerprint/hardware_key.hpp>
#include <perfspec/claim/estimates.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/quantity/quantity.hpp>

namespace perfspec {
namespace {

using namespace testing;

/// A program whose body allocates so often in its calls. The first call is not counted.
struct counting_program : stored_program {
    using stored_program::stored_program;

    [[nodiscard]] subject allocates(const char* name, std::vector<std::int64_t> calls) {
        return counts_in_calls(name, detail::metrics::allocations, std::move(calls));
    }
    /// Stored processes are in the folder of the architecture.
    void store_counts(const std::vector<double>& values) {
        baseline_entry entry{.key = "sorting / allocations(sort)",
                             .unit = "count",
                             .direction = better::less,
                             .recorded_on = context().machine(library_use::always),
                             .processes = {}};
        for (const double v : values) {
            stored_process l{.value = v, .q1 = v, .q3 = v, .p90 = v, .p99 = v};
            l.time = "2026-11-01T08:00:00Z";
            entry.processes.push_back(std::move(l));
        }
        const std::string path = path_of({"/project/baselines", any_hardware_key(), "", "sort_test"});
        files.put(path, render_baseline_file(
                            {.hardware = any_hardware_key(), .variant = {}, .suite = "sort_test", .entries = {entry}}));
    }
};

}  // namespace

TEST_CASE("a count that repeats is compared exactly, without a margin", "[run][unit]") {
    struct row {
        comparison compared;
        double bound;
        verdict expected;
    };
    const auto [compared, bound, expected] = GENERATE(values<row>({
        {comparison::less, 12, verdict::violated},
        {comparison::less, 12.5, verdict::holds},
        {comparison::less_equal, 12, verdict::holds},
        {comparison::less_equal, 11.99, verdict::violated},  // within the margin of a time
        {comparison::equal, 12, verdict::holds},
        {comparison::equal, 13, verdict::violated},
        {comparison::greater_equal, 12, verdict::holds},
        {comparison::greater, 12, verdict::violated},
        {comparison::greater, 0, verdict::holds},
    }));
    counting_program program({confirms(verdict::violated)});
    const record r = program.evaluate(
        detail::claim_against_value(allocations(program.allocates("sort", {99, 12, 12, 12})), compared, bound));
    CHECK(r.verdict == expected);
    CHECK(r.estimate.value().value == 12);
    CHECK(r.unit == dimension::count);
    CHECK(r.query == "allocations(sort)");
    CHECK(r.bound == bound);
    CHECK(r.margin == 0.0);
    CHECK(r.evidence.exact);
    CHECK(r.evidence.rounds == 3);
    CHECK(r.hardware_key == any_hardware_key());
    CHECK(program.bodies_run == 4);  // one that is not counted, and three
    REQUIRE(r.subjects.size() == 1);
    CHECK(r.subjects[0].unit == dimension::count);
    CHECK(r.subjects[0].samples == 3);
}

TEST_CASE("a violated count is repeated in a fresh process", "[run][unit]") {
    counting_program program({confirms(verdict::holds)});
    const record r = program.evaluate(allocations(program.allocates("sort", {3})) == 0);
    CHECK(r.verdict == verdict::undecided);
    CHECK_THAT(r.reason, ContainsSubstring("a fresh process did not confirm it"));
}

TEST_CASE("a count that varies is not equal to anything, and not always zero", "[run][unit]") {
    counting_program program({confirms(verdict::violated), confirms(verdict::violated), confirms(verdict::violated)});
    const record r = program.evaluate(allocations(program.allocates("sort", {0, 0, 1, 0})) == 0);
    CHECK(r.verdict == verdict::violated);
    CHECK(r.reason == "the runs differ: 0, 1, 0");
    CHECK(program.evaluate(allocations(program.allocates("merge", {0, 0, 1, 0})) <= 0).verdict == verdict::violated);
    CHECK(program.evaluate(allocations(program.allocates("join", {7, 7, 8, 7})) == 7).verdict == verdict::violated);
}

TEST_CASE("a count that varies is judged by its median as a time is", "[run][unit]") {
    counting_program program({confirms(verdict::violated)});
    const auto varies = program.allocates("sort", {10, 11, 12, 10, 11});
    const record r = program.evaluate(allocations(varies) <= 20);
    CHECK(r.verdict == verdict::holds);
    CHECK_FALSE(r.evidence.exact);
    CHECK(r.evidence.rounds == 10);
    CHECK_THAT(r.evidence.method, StartsWith("medians of blocks"));
    CHECK_THAT(r.estimate.value().value, WithinRel(11.0, 1e-12));
    CHECK(r.subjects.at(0).unit == dimension::count);
    CHECK(r.margin == 0.005);
    CHECK(program.evaluate(allocations(varies) < 10).verdict == verdict::violated);
}

TEST_CASE("two counts that repeat are compared in their own unit", "[run][unit]") {
    counting_program program({confirms(verdict::violated)});
    const auto old_one = program.allocates("old", {10});
    const auto new_one = program.allocates("new", {5});
    const record r = program.evaluate(allocations(new_one) <= 0.5 * allocations(old_one));
    CHECK(r.verdict == verdict::holds);
    CHECK(r.unit == dimension::count);
    CHECK(r.estimate.value().value == 5);
    CHECK(r.bound == 5);
    CHECK(r.bound_text == "0.5 x 10 of allocations(old)");
    CHECK(r.query == "allocations(new) / allocations(old)");
    CHECK(program.evaluate(allocations(new_one) < 0.5 * allocations(old_one)).verdict == verdict::violated);
    const auto none = program.allocates("none", {0});
    CHECK(program.evaluate(allocations(none) == allocations(program.allocates("as little", {0}))).verdict ==
          verdict::holds);
}

TEST_CASE("two counts of which one varies are judged in pairs", "[run][unit]") {
    counting_program program;
    const auto varies = program.allocates("old", {20, 21, 22});
    const record r = program.evaluate(allocations(program.allocates("new", {10})) <= allocations(varies));
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.rounds == 10);
    CHECK(r.unit == dimension::ratio);
    CHECK_THAT(r.estimate.value().value, WithinRel(10.0 / 21.0, 0.05));
    CHECK(r.subjects.at(1).unit == dimension::count);
}

TEST_CASE("a count of zero beside others has a logarithm", "[run][unit]") {
    counting_program program;
    const auto varies = program.allocates("old", {20, 21, 22});
    CHECK(program.evaluate(allocations(program.allocates("none", {0})) <= allocations(varies)).verdict ==
          verdict::holds);
    CHECK(program.evaluate(allocations(program.allocates("some", {0, 1, 0})) < 9).verdict == verdict::holds);
}

TEST_CASE("a count that is mostly zero is below any bound, and not above zero", "[run][unit]") {
    counting_program program({confirms(verdict::violated)});
    const auto rarely = program.allocates("chunks", {0, 1, 0});
    const record r = program.evaluate(allocations(rarely) < 0.05);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.estimate.value().value == 0.0);
    CHECK(program.evaluate(allocations(rarely) > 0).verdict == verdict::violated);
    CHECK(program.evaluate(allocations(program.allocates("parts", {3, 4, 3})) > 0).verdict == verdict::holds);
}

TEST_CASE("a count is not equal to one that varies, whose runs and median the result shows", "[run][unit]") {
    counting_program program({confirms(verdict::violated)});
    const auto varies = program.allocates("other", {20, 20, 22, 21});
    const record r = program.evaluate(allocations(program.allocates("own", {10})) == allocations(varies));
    CHECK(r.verdict == verdict::violated);
    CHECK(r.reason == "the runs differ: 20, 22, 21");
    CHECK(r.bound == 21.0);
    const auto rarely = program.allocates("rarely", {0, 1, 0});  // its median is 0, and no bound
    CHECK(program.evaluate(allocations(program.allocates("never", {0})) <= allocations(rarely)).verdict !=
          verdict::violated);
    CHECK(r.estimate.value().value == 10.0);
}

TEST_CASE("a program that does not count its allocations gets advice", "[run][unit]") {
    counting_program program;
    for (const metric_kind m :
         std::initializer_list<metric_kind>{detail::metrics::allocations, detail::metrics::allocated_bytes})
        program.counts.of(m).fault = "this program does not count";
    const auto sort = program.allocates("sort", {3});
    for (const record& r : {program.evaluate(allocations(sort) == 3), program.evaluate(allocated_bytes(sort) < 4_kB)}) {
        CHECK(r.verdict == verdict::error);
        CHECK(r.failed);
        CHECK(r.reason == "this program does not count");
    }
    CHECK(program.bodies_run == 0);
}

TEST_CASE("counts refuse bounds that no count reaches, other metrics and processes", "[run][unit]") {
    counting_program program;
    const auto sort = program.allocates("sort", {3});
    CHECK_RECORDED(program.evaluate(allocations(sort) > -1).reason);
    CHECK_RECORDED(program.evaluate(allocations(sort) < 3, {processes(7)}).reason);
}

TEST_CASE("a count against a baseline of equal counts holds after one process", "[run][unit]") {
    counting_program program({counted(12)});
    program.store_counts(std::vector<double>(10, 12.0));
    const record r = program.evaluate(allocations(program.sort) <= baseline());
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.processes == 1);
    CHECK(r.evidence.exact);
    CHECK(r.evidence.false_failure == 0.0);
    CHECK(r.bound == 12);
    CHECK(program.bodies_run == 0);
}

TEST_CASE("a count one above its baseline is violated after two processes", "[run][unit]") {
    counting_program program({counted(1001), counted(1001)});
    program.store_counts(std::vector<double>(10, 1000.0));
    const record r = program.evaluate(allocations(program.sort) <= baseline());
    CHECK(r.verdict == verdict::violated);
    CHECK(r.evidence.processes == 2);
    CHECK(r.baseline.value().taken.size() == 2);
}

TEST_CASE("a count that equals its baseline may be claimed to", "[run][unit]") {
    counting_program program({counted(12), counted(13), counted(12)});
    program.store_counts(std::vector<double>(10, 12.0));
    CHECK(program.evaluate(allocations(program.sort) == baseline()).verdict == verdict::holds);
    program.framework.at.pass = 2;
    const record other = program.evaluate(allocations(program.sort) == baseline());
    CHECK(other.verdict == verdict::undecided);
    CHECK(other.reason == "one of two fresh processes equals the stored ones, and the other does not");
}

TEST_CASE("counts that vary between processes are compared by ranks", "[run][unit]") {
    counting_program program({counted(50), counted(50)});
    program.store_counts({60, 61, 62, 60, 61, 62, 60, 61, 62, 60});
    const record r = program.evaluate(allocations(program.sort) <= baseline());
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.processes == 2);
    CHECK_FALSE(r.evidence.exact);
    CHECK_RECORDED(program.evaluate(allocations(program.sort) == baseline()).reason);
}

TEST_CASE("a process whose count varies is judged by ranks, the process included", "[run][unit]") {
    counting_program program({counted(5, runs_differ::yes), counted(6, runs_differ::yes)});
    program.store_counts(std::vector<double>(10, 12.0));
    const record r = program.evaluate(allocations(program.sort) <= baseline());
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.processes == 2);
    CHECK(r.baseline.value().now == std::vector<double>{5, 6});
}

TEST_CASE("a recorded count is one that repeats, or a median", "[run][unit]") {
    counting_program program;
    const record r = program.evaluate(allocations(program.allocates("sort", {12})), {}, {.effect = effect::measure});
    CHECK(r.verdict == verdict::measured);
    CHECK(r.estimate.value().value == 12);
    CHECK(r.evidence.exact);
    const record varies =
        program.evaluate(allocations(program.allocates("merge", {1, 2, 3, 2})), {}, {.effect = effect::measure});
    CHECK(varies.estimate.value().value == 2);
    CHECK_FALSE(varies.evidence.exact);
}

TEST_CASE("what the processor counts is sampled in batches, and judged as times are", "[run][unit]") {
    scripted_run program({confirms(verdict::violated)});
    const subject sort("sort", [&program, next = std::int64_t{0}]() mutable {
        program.work(std::chrono::microseconds(1));
        program.counts.of(detail::metrics::instructions).add(990 + 10 * (next++ % 3));
    });
    program.counts.of(detail::metrics::instructions).per_reading = 100;
    const record r = program.evaluate(instructions(sort) < 2000);
    CHECK(r.verdict == verdict::holds);
    CHECK_FALSE(r.evidence.exact);
    CHECK_THAT(r.estimate.value().value, WithinRel(1001.0, 0.002));  // a reading's cost over 100 calls
    CHECK(r.subjects.at(0).iterations == 100);
    CHECK(r.hardware_key == program.context().hardware_key());
    CHECK(program.evaluate(instructions(sort) < 900).verdict == verdict::violated);
}

TEST_CASE("what the processor counts is compared in pairs", "[run][unit]") {
    scripted_run program;
    const auto a = program.counts_in_calls("a", detail::metrics::branch_misses, {100, 101, 102});
    const auto b = program.counts_in_calls("b", detail::metrics::branch_misses, {50, 51, 50});
    const record r = program.evaluate(branch_misses(b) < 0.6 * branch_misses(a));
    CHECK(r.verdict == verdict::holds);
    CHECK(r.query == "branch_misses(b) / branch_misses(a)");
    CHECK_RECORDED(program.evaluate(branch_misses(b) < cycles(a)).reason);
}

TEST_CASE("a batch that counted nothing lies below every other batch", "[run][unit]") {
    scripted_run program;
    const auto none = program.counts_in_calls("none", detail::metrics::cache_misses, {0});
    const auto some = program.counts_in_calls("some", detail::metrics::cache_misses, {0, 1, 0});
    CHECK(program.evaluate(cache_misses(none) < cache_misses(some), {iterations(100)}).verdict == verdict::holds);
}

TEST_CASE("a machine without counters judges nothing, and runs the body once", "[run][unit]") {
    scripted_run program;
    program.counts.of(detail::metrics::cycles).fault = "this machine offers no such counter";
    const record r = program.evaluate(cycles(program.counts_in_calls("sort", detail::metrics::cycles, {1000})) < 2000);
    CHECK(r.verdict == verdict::skipped);
    CHECK_FALSE(r.failed);
    CHECK(r.reason == "this machine offers no such counter");
    CHECK(program.bodies_run == 1);
}

TEST_CASE("a count that becomes worthless meanwhile is skipped", "[run][unit]") {
    scripted_run program;
    program.counts.of(detail::metrics::cycles).trouble = "the counters counted only 43 % of the time";
    const record r = program.evaluate(cycles(program.counts_in_calls("sort", detail::metrics::cycles, {1000})) < 2000);
    CHECK(r.verdict == verdict::skipped);
    CHECK(r.reason == "the counters counted only 43 % of the time");
}

TEST_CASE("a count of a short body is looked at in a thousand runs, which show what one call in 128 does",
          "[run][unit]") {
    scripted_run program;
    int calls = 0;
    const subject queue("queue",
                        [&] { program.counts.of(detail::metrics::allocations).add(++calls % 128 == 0 ? 1 : 0); });
    const record r = program.evaluate(allocations(queue) == 0, {confirm::off});
    CHECK(r.verdict == verdict::violated);
    CHECK(r.reason == "the runs differ: from 0 to 1 in 1000 runs");
    const record steady =
        program.evaluate(allocations(program.counts_in_calls("steady", detail::metrics::allocations, {5})) == 5);
    CHECK(steady.verdict == verdict::holds);
    CHECK(steady.evidence.rounds == 3);  // of 1 ms
}

TEST_CASE("a run that is interrupted does not end the look at a count", "[run][unit]") {
    scripted_run program;
    int calls = 0;
    const subject queue("queue", [&] {
        program.work(++calls == 3 ? 20ms : 1us);  // another process took the third turn
        program.counts.of(detail::metrics::allocations).add(calls % 128 == 0 ? 1 : 0);
    });
    const record r = program.evaluate(allocations(queue) == 0, {confirm::off});
    CHECK(r.verdict == verdict::violated);
    CHECK(r.reason == "the runs differ: from 0 to 1 in 1000 runs");
}

TEST_CASE("a count of a body that waits is looked at for a tenth of a second", "[run][unit]") {
    scripted_run program;
    int calls = 0;
    const subject waits("waits", [&] { program.work(++calls % 2 == 0 ? 1us : 10ms); });
    CHECK(program.evaluate(allocations(waits) == 0).evidence.rounds == 20);
}

TEST_CASE("is_same_number takes products as people reckon them", "[run][unit]") {
    CHECK(1.1 * 50 != 55.0);  // so that the rest means something
    CHECK(detail::is_same_number(55.0, 1.1 * 50));
    CHECK(detail::is_same_number(29.0, 1.16 * 25));
    CHECK(detail::is_same_number(0.1 + 0.2, 0.3));
    CHECK(detail::is_same_number(0.1 + 0.2, 0.1 + 0.2));
    CHECK(detail::is_same_number(0.0, 0.0));
    CHECK_FALSE(detail::is_same_number(1e-300, 0.0));
    CHECK_FALSE(detail::is_same_number(100.0000000001, 100.0));
    CHECK_FALSE(detail::is_same_number(9007199254740991.0, 9007199254740992.0));
    CHECK_FALSE(detail::is_same_number(1e15, 1e15 + 1.0));
    CHECK_FALSE(detail::is_same_number(1.0, HUGE_VAL));
    for (int percent = 1; percent < 100; ++percent) {
        for (int whole = 100; whole <= 10'000; whole += 100) {
            CHECK(detail::is_same_number(whole / 100 * (100 + percent), whole * (1.0 + percent / 100.0)));
            CHECK(detail::is_same_number(whole / 100 * (100 - percent), whole * (1.0 - percent / 100.0)));
        }
    }
}

TEST_CASE("satisfies takes a value that is the same number as the bound for equal to it", "[run][unit]") {
    const double third = 0.1 + 0.2;
    CHECK(third > 0.3);
    CHECK(detail::satisfies(comparison::less_equal, third, 0.3));
    CHECK(detail::satisfies(comparison::less_equal, third, third));
    CHECK(detail::satisfies(comparison::equal, third, 0.3));
    CHECK(detail::satisfies(comparison::greater_equal, 0.3, third));
    CHECK_FALSE(detail::satisfies(comparison::greater, third, 0.3));
    CHECK_FALSE(detail::satisfies(comparison::less, 55.0, 1.1 * 50));
    CHECK_FALSE(detail::satisfies(comparison::less_equal, 56.0, 1.1 * 50));
    CHECK(detail::satisfies(comparison::less, 54.0, 1.1 * 50));
}

}  // namespace perfspec
