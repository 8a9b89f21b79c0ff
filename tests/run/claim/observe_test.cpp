// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../scripted_run.hpp"

#include <perfspec/process/child.hpp>
#include <perfspec/quantity/quantity.hpp>
#include <perfspec/report/json_lines.hpp>

#include <support/scripted_usage.hpp>

namespace perfspec {
namespace {

using namespace testing;
using strings = std::vector<std::string>;

/// A scripted program that uses what its clocks show. Bodies set the usage of its other threads.
class watched_run : public scripted_run, private usage_meter {
public:
    template <class... Arguments> explicit watched_run(Arguments... arguments) : scripted_run(std::move(arguments)...) {
        usage = this;
    }

    void hand_over(std::chrono::nanoseconds work) { done_ += work.count(); }

private:
    [[nodiscard]] perfspec::usage now() override {
        const std::int64_t own = cpu.now();
        return {wall.now(), own + done_, own, 0, 1};
    }

    std::int64_t done_{};
};

/// A body whose n-th call, from 0 on, takes so long.
template <class Time> subject calls_take(scripted_run& program, const char* name, Time time_of) {
    return {name, [&program, time_of, n = 0]() mutable { program.work(time_of(n++)); }};
}

}  // namespace

TEST_CASE("a first call that did the work is noted beside the verdict, once in a test case", "[run][unit]") {
    watched_run program;
    const auto memoized = calls_take(program, "memo", [](int n) { return n == 0 ? 2000us : 20us; });
    const record r = program.evaluate(latency(memoized) < 1ms);
    CHECK(r.verdict == verdict::holds);
    CHECK_RECORDED(r.notes);
    CHECK(program.evaluate(latency(memoized) < 2ms, {}, {.line = 43}).notes.empty());
}

TEST_CASE("a first call is noted of each subject of a pair", "[run][unit]") {
    watched_run program;
    const auto steady = program.takes("steady", 100us);
    const auto memoized = calls_take(program, "memo", [](int n) { return n == 0 ? 2000us : 100us; });
    const record r = program.evaluate(speedup(steady, memoized) > 0.5);
    CHECK(r.verdict == verdict::holds);
    REQUIRE(r.notes.size() == 1);
    CHECK_THAT(r.notes[0], StartsWith("the first call of \"memo\" took 2.00 ms, later ones 100 us"));
}

TEST_CASE("what fresh processes note is noted once, by the claim that started them", "[run][unit]") {
    std::vector<child_end> processes;
    for (int i = 0; i < 7; ++i) {
        record answer = from_json_line(parse_answer(process_of(64.0)).payload.value());
        answer.notes = {"found by process " + std::to_string(i)};
        processes.push_back(answered(to_json_line(answer)));
    }
    scripted_run program(processes);
    const record r = program.evaluate(peak_memory(program.takes("fill", 1ms)) < 80_MiB);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.notes == strings{"found by process 0"});
}

TEST_CASE("times that rise or fall over the calls are noted", "[run][unit]") {
    watched_run program;
    const auto growing = calls_take(program, "growing", [](int n) { return 1ms + n * 20us; });
    const record r = program.evaluate(latency(growing) < 1s);
    CHECK(r.verdict == verdict::holds);
    REQUIRE(r.notes.size() == 1);
    CHECK_RECORDED(r.notes[0]);

    const auto falling = calls_take(program, "falling", [](int n) { return n < 17 ? 5200us - n * 300us : 400us; });
    const record pairs =
        program.evaluate(speedup(falling, program.takes("steady", 1ms)) > 1e-3, {rounds(20)}, {.line = 43});
    CHECK(pairs.verdict == verdict::holds);
    REQUIRE(pairs.notes.size() == 1);
    CHECK_THAT(pairs.notes[0], StartsWith("the time of \"falling\" falls over its calls, from "));
}

TEST_CASE("times that double beside other threads are not noted", "[run][unit]") {
    for (const auto others : {0us, 200us}) {
        watched_run program;
        const auto growing = calls_take(program, "growing", [&](int n) {
            program.hand_over(others);
            return 1ms + n * 20us;
        });
        CHECK(program.evaluate(latency(growing) < 1s).notes.empty() == (others != 0us));
    }
}

TEST_CASE("what calls leave behind is noted, with the number of calls", "[run][unit]") {
    scripted_run program;
    scripted_usage meter;
    program.usage = &meter;
    const subject leaky("leaky", [&] {
        program.work(1ms);
        ++meter.holds.descriptors;
        meter.holds.heap_bytes += 4096;
    });
    CHECK_RECORDED(program.evaluate(latency(leaky) < 1s).notes);
    const record pair = program.evaluate(speedup(leaky, program.takes("b", 1ms)) > 0.5, {rounds(30)}, {.line = 43});
    CHECK_THAT(pair.notes.at(0), StartsWith("20 calls left behind 10 descriptors, which "));
}

TEST_CASE("honest bodies have no notes", "[run][unit]") {
    watched_run program;
    const auto a = program.takes("a", {90us, 100us, 110us}).items(10);
    const auto b = program.takes("b", {100us, 90us});
    CHECK(program.evaluate(speedup(a, b) > 0.5).notes.empty());
    CHECK(program.evaluate(latency(a) < 1ms, {}, {.line = 43}).notes.empty());
    CHECK(program.evaluate(throughput(a) > items_per_second(1), {}, {.line = 44}).notes.empty());
}

namespace {

using strings = std::vector<std::string>;

int sum() { return 3; }
int product() { return 4; }

}  // namespace

TEST_CASE("a bound on the better side is noted", "[run][unit]") {
    scripted_run program;
    const auto x = program.takes("x", 2ms);
    const auto y = program.takes("y", 1ms);
    const record slow = program.evaluate(latency(x) > 1ms);
    CHECK(slow.verdict == verdict::holds);
    CHECK_RECORDED(slow.notes);
    CHECK_RECORDED(program.evaluate(speedup(y, x) < 0.95, {}, {.line = 43}).notes);
}

TEST_CASE("a bound on the worse side, a tolerance, and one subject against another are not noted", "[run][unit]") {
    scripted_run program;
    const auto x = program.takes("x", 2ms);
    const auto y = program.takes("y", 1ms);
    CHECK(program.evaluate(latency(x) < 3ms).notes.empty());
    CHECK(program.evaluate(speedup(x, y) > 1.5, {}, {.line = 43}).notes.empty());
    CHECK(program.evaluate(latency(x) > 1.5 * latency(y), {}, {.line = 44}).notes.empty());
    CHECK(program.evaluate(latency(x) == within(2ms, pct(50)), {}, {.line = 45}).notes.empty());
}

TEST_CASE("a subject compared with itself is an error, however it is written", "[run][unit]") {
    scripted_run program;
    const auto x = program.takes("x", 1ms);
    const subject copy = x;
    const auto check = [&](const record& r, const std::string& name) {
        CHECK(r.verdict == verdict::error);
        CHECK(r.reason ==
              "the claim compares \"" + name +
                  "\" with itself: name two subjects, as in speedup(x, y) > 1.2 or latency(y) < 0.8 * latency(x)");
    };
    check(program.evaluate(speedup(x, x) > 0.95), "x");
    check(program.evaluate(speedup(x, copy) > 0.95), "x");
    check(program.evaluate(latency(x) < 1.2 * latency(x)), "x");
    check(program.evaluate(p99(latency(x)) < 1.2 * p99(latency(x))), "x");
    check(program.evaluate(memory_ratio(x, x) > 0.95), "x");
    check(program.evaluate(latency(x) == within(latency(x), pct(5))), "x");
    check(program.evaluate(speedup(sum, sum) > 0.95, {}, {.line = 42}), "sort_test.cpp:42");
    CHECK(program.bodies_run == 0);
}

TEST_CASE("two subjects of one body are compared", "[run][unit]") {
    scripted_run program;
    const auto work = [&] { program.work(1ms); };
    CHECK(program.evaluate(speedup(subject("a", work), subject("b", work)) > 0.5).verdict == verdict::holds);
    const auto make = [&] { return work; };
    CHECK(program.evaluate(speedup(make(), make()) > 0.5, {}, {.claim = "speedup(make(), make()) > 0.5", .line = 43})
              .verdict == verdict::holds);
    CHECK(program.evaluate(speedup(subject("a", sum), subject("b", sum)) > 1e-9, {rounds(10)}, {.line = 44})
              .reason.find("itself") == std::string::npos);
    CHECK(
        program
            .evaluate(speedup(sum, product) > 1e-9, {rounds(10)}, {.claim = "speedup(sum, product) > 1e-9", .line = 45})
            .reason.find("itself") == std::string::npos);
}

}  // namespace perfspec
