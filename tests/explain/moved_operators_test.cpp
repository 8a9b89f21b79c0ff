// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "run/scripted_run.hpp"
#include "table_of.hpp"

#include <perfspec/explain/queries.hpp>
#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/language/subjects/subject_state.hpp>

#include <support/scripted_operators.hpp>

namespace perfspec {
namespace {

using namespace testing;

/// A program whose operators are recorded.
struct recorded_run : scripted_run {
    scripted_operators recorder;
    using operators = std::vector<std::pair<const char*, std::chrono::microseconds>>;

    recorded_run() {
        detail::explain();
        counts.install<operator_recorder>(&recorder);
    }
    [[nodiscard]] subject model(const char* name, operators all) {
        return {name, [this, all = std::move(all)] {
                    for (const auto& [operation, length] : all) {
                        recorder.run(operation, std::chrono::nanoseconds(length).count());
                        work(length);
                    }
                }};
    }
};

const std::vector<option> once{confirm::off};

}  // namespace

TEST_CASE("a violated speedup names first the operators that are called more or less often", "[run][unit]") {
    recorded_run program;
    const subject before = program.model("before", {{"conv", 500us}, {"relu", 100us}, {"add", 100us}, {"conv", 500us}});
    const subject after = program.model("after", {{"conv", 1100us}, {"relu", 100us}, {"mul", 300us}, {"conv", 700us}});
    const record r = program.evaluate(speedup(before, after) > 0.95, once);
    REQUIRE(r.verdict == verdict::violated);
    CHECK_RECORDED(table_of(r));
}

TEST_CASE("a violated comparison names what its first subject does more", "[run][unit]") {
    recorded_run program;
    const subject slow = program.model("slow", {{"conv", 300us}}), fast = program.model("fast", {{"conv", 100us}});
    const record r = program.evaluate(latency(slow) < 1.1 * latency(fast), once);
    REQUIRE(r.verdict == verdict::violated);
    CHECK_RECORDED(table_of(r));
}

TEST_CASE("times that differ by turns, or by less than a hundredth, are not named", "[run][unit]") {
    recorded_run program;
    int calls = 0;
    const auto model = [&](const char* name, std::chrono::microseconds slow) {
        return subject(name, [&program, &calls, slow] {
            const auto jitter = std::chrono::microseconds(++calls % 3 * 300);  // of an operator that did not change
            program.recorder.run("conv", std::chrono::nanoseconds(1000us + jitter).count());
            program.recorder.run("relu", std::chrono::nanoseconds(100us + slow / 100).count());
            program.recorder.run("softmax", std::chrono::nanoseconds(100us + slow).count());
            program.work(1ms + slow);
        });
    };
    const subject before = model("before", 0us), after = model("after", 500us), outside = model("outside", 0us);
    const record r = program.evaluate(speedup(before, after) > 0.95, once);
    REQUIRE(r.verdict == verdict::violated);
    CHECK_RECORDED(table_of(r));
    CHECK(r.parts.at(1).value.level == 0.95);

    const record same = program.evaluate(speedup(before, outside) > 1.5, once);
    REQUIRE(same.verdict == verdict::violated);
    CHECK_THAT(table_of(same), StartsWith("all operators | outside | "));
    CHECK_RECORDED(same.advice.back());
}

TEST_CASE("operators of another process are recorded there", "[run][unit]") {
    recorded_run program;
    subject remote("remote", [&program] { program.work(1ms); });
    model_of(remote).hidden_operators = "they run in the worker";
    readings_of(remote).remote_operators = [](void*) {
        return std::vector<operator_event>{{"conv", 0, 300'000, 1}, {"conv", 300'000, 400'000, 1}};
    };
    const record r = program.evaluate(latency(remote) < 200us, once);
    CHECK_RECORDED(table_of(r));
}

TEST_CASE("subjects are not compared where one of them reports no operators", "[run][unit]") {
    recorded_run program;
    const subject eager = program.model("eager", {{"conv", 300us}}),
                  plain("plain", [&program] { program.work(900us); });
    for (const record& r : {program.evaluate(speedup(eager, plain) > 0.95, once),
                            program.evaluate(latency(eager) < 0.1 * latency(plain), once)}) {
        REQUIRE(r.verdict == verdict::violated);
        CHECK(table_of(r) == "conv | eager | 300 us | 100 % | 1 call\n"
                             "all operators | eager | 300 us | 100 % | \n");
    }
}

TEST_CASE("the operators of slow subjects are recorded in fewer rounds, all of which have to agree", "[run][unit]") {
    const auto [call, rounds] = GENERATE(table<std::chrono::milliseconds, int>({{3s, 2}, {250ms, 8}, {100ms, 10}}));
    recorded_run program;
    int recorded = 0;
    const auto model = [&](const char* name, std::chrono::microseconds norm) {
        return subject(name, [&program, &recorded, norm, length = call, calls = 0]() mutable {
            const bool is_recorded = program.recorder.records();
            recorded += is_recorded ? 1 : 0;
            calls += is_recorded ? 1 : 0;
            const auto relu = norm == 400us ? 150us : calls == 5 ? 50us : 250us;  // one round is against the others
            program.recorder.run("conv", std::chrono::nanoseconds(3000us).count());
            program.recorder.run("norm", std::chrono::nanoseconds(norm).count());
            program.recorder.run("add", std::chrono::nanoseconds(norm / 4).count());
            program.recorder.run("relu", std::chrono::nanoseconds(relu).count());
            program.work(is_recorded ? length : 3ms + norm + norm / 4);
        });
    };
    const subject before = model("before", 400us), after = model("after", 1000us);
    const record r = program.evaluate(speedup(before, after) > 0.95, once);
    REQUIRE(r.verdict == verdict::violated);
    CHECK(recorded == 2 * (1 + rounds));  // the first of each is not counted
    const bool is_close = rounds > 2;     // in fewer rounds than six an operator has to take a tenth of all time more
    CHECK(table_of(r) == std::string("norm | after | 1000 us | 0 % | \n"
                                     "norm | more than before | 600 us | 70 % | \n") +
                             (is_close ? "add | after | 250 us | 0 % | \n"
                                         "add | more than before | 150 us | 17 % | \n"
                                       : "") +
                             "all operators | after | 4500 us | 0 % | \n"
                             "all operators | more than before | 850 us | 100 % | \n");
    CHECK(r.parts.at(1).value.level == (is_close ? 0.95 : 0.0));
}

TEST_CASE("a violated latency names the longest operators of its subject", "[run][unit]") {
    recorded_run program;
    const record r = program.evaluate(latency(program.model("net", {{"relu", 100us}, {"conv", 300us}})) < 200us, once);
    REQUIRE(r.verdict == verdict::violated);
    CHECK_RECORDED(table_of(r));
}

TEST_CASE("at most eight operators are named", "[run][unit]") {
    recorded_run program;
    recorded_run::operators many;
    for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}) many.emplace_back(name, 100us);
    const record r = program.evaluate(latency(program.model("net", many)) < 200us, once);
    CHECK(r.parts.size() == 9);
}

TEST_CASE("a claim that holds, one without operators, and one on other metrics name none", "[run][unit]") {
    recorded_run program;
    const subject net = program.model("net", {{"conv", 300us}});
    CHECK(program.evaluate(latency(net) < 1ms, once).parts.empty());
    const record plain = program.evaluate(latency(program.model("plain", {})) < 1ns, once);
    CHECK(plain.parts.empty());
    program.counts.install<operator_recorder>(nullptr);
    const record unseen = program.evaluate(latency(net) < 200us, once);
    CHECK(unseen.verdict == verdict::violated);
    CHECK(unseen.parts.empty());
}

TEST_CASE("a subject whose operators cannot be seen has no column", "[run][unit]") {
    recorded_run program;
    const subject eager = program.model("eager", {{"conv", 300us}});
    subject package = program.model("package", {{"conv", 900us}});
    model_of(package).hidden_operators = "the package runs its own kernels";
    const record r = program.evaluate(speedup(eager, package) > 0.95, once);
    REQUIRE(r.verdict == verdict::violated);
    CHECK_RECORDED(table_of(r));
}

TEST_CASE("a body that fails while it is recorded leaves the verdict", "[run][unit]") {
    recorded_run program;
    const subject fails("fails", [&program] {
        if (program.recorder.records()) throw std::runtime_error("no input");
        program.work(1ms);
    });
    const record r = program.evaluate(latency(fails) < 200us, once);
    CHECK(r.verdict == verdict::violated);
    CHECK(r.advice.back() == "its operators could not be recorded: \"fails\" threw: no input");
}

}  // namespace perfspec
