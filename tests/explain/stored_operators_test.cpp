// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "run/stored_program.hpp"
#include "table_of.hpp"

#include <perfspec/explain/queries.hpp>
#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/quantity/quantity.hpp>
#include <perfspec/report/json_lines.hpp>

#include <support/scripted_operators.hpp>

namespace perfspec {
namespace {

using namespace testing;

using operators = std::vector<std::pair<std::string, std::chrono::microseconds>>;

const std::string net_key = "sorting / latency(net)";

/// A program whose operators are recorded in this process; its processes are scripted.
struct model_program : stored_program {
    scripted_operators recorder;
    int runs{};

    explicit model_program(std::vector<child_end> children) : stored_program(std::move(children)) {
        detail::explain();
        counts.install<operator_recorder>(&recorder);
        files.put_folder("/project/baselines");
    }
    [[nodiscard]] subject model(operators all) {
        return {"net", [this, all = std::move(all)] {
                    ++runs;
                    for (const auto& [name, length] : all) recorder.run(name, std::chrono::nanoseconds(length).count());
                    if (all.empty()) work(1ms);
                }};
    }
    record claim(const subject& net) { return evaluate(latency(net) < 1.05 * baseline()); }
    [[nodiscard]] std::optional<part_profile> stored_operators(const std::string& folder = "/project/baselines") {
        return stored(folder).find(net_key)->profile;
    }
};

/// A program that records its baselines.
struct recording_program : model_program {
    explicit recording_program(const char* mode = "all") : model_program(processes_of(1e6, 10)) {
        variables["PERFSPEC_UPDATE_BASELINES"] = mode;
    }
};

/// A program that is twice as slow as the stored processes.
struct slow_program : model_program {
    explicit slow_program(recording_program& before) : model_program(processes_of(2e6, 20)) {
        files.put(path(), before.files.text(before.path()));
    }
};

std::string advice_of(const record& r) {
    std::string text;
    for (const std::string& line : r.advice) text += line + "\n";
    return text;
}

/// 34 operators of 100, 101, … us.
operators many_operators() {
    operators all;
    for (int i = 0; i < 34; ++i) all.emplace_back("op" + std::to_string(i), std::chrono::microseconds(100 + i));
    return all;
}

const operators fast_net{{"conv", 500us}, {"relu", 100us}, {"conv", 500us}, {"add", 100us}};

}  // namespace

TEST_CASE("an update stores the operators of a model beside its processes", "[run][unit]") {
    recording_program program;
    const record r = program.claim(program.model(fast_net));
    CHECK(r.verdict == verdict::skipped);
    const part_profile expected{"2 threads", {{"conv", 1e6, 2}, {"add", 1e5, 1}, {"relu", 1e5, 1}}, 0};
    CHECK(program.stored_operators() == expected);
    CHECK(r.baseline.value().profile == expected);
    CHECK(program.runs == 25);  // one that is not counted, and 24 rounds
}

TEST_CASE("the first run of a machine stores them too", "[run][unit]") {
    model_program program(processes_of(1e6, 10));
    program.claim(program.model(fast_net));
    CHECK(program.stored_operators("/build/perfspec-baselines").value().longest.size() == 3);
}

TEST_CASE("a violated claim on a baseline names the operators that moved since", "[run][unit]") {
    recording_program before;
    before.claim(before.model(fast_net));
    slow_program program(before);
    const record r = program.claim(
        program.model({{"relu", 100us}, {"conv", 1700us}, {"mul", 100us}, {"mul", 100us}, {"mul", 100us}}));
    REQUIRE(r.verdict == verdict::violated);
    CHECK_RECORDED(table_of(r));
    CHECK_THAT(advice_of(r), !ContainsSubstring("operators"));
    CHECK(r.baseline.value().profile ==
          part_profile{"2 threads", {{"conv", 1.7e6, 1}, {"mul", 3e5, 3}, {"relu", 1e5, 1}}, 0});
}

TEST_CASE("operators do not decide: a claim is violated, holds and is recorded with them as without", "[run][unit]") {
    recording_program before;
    before.claim(before.model(fast_net));
    model_program same(processes_of(1e6, 20));
    same.files.put(same.path(), before.files.text(before.path()));
    const record r = same.claim(same.model({{"conv", 9000us}}));
    CHECK(r.verdict == verdict::holds);
    CHECK(r.parts.empty());
    CHECK_FALSE(r.baseline.value().profile);
    CHECK(same.runs == 0);
    slow_program slow(before);
    CHECK(slow.claim(slow.model(fast_net)).verdict == verdict::violated);
}

TEST_CASE("without stored operators the longest are named, and advice says how to store some", "[run][unit]") {
    model_program program(processes_of(2e6, 20));
    program.store(net_key, about(1e6, 10));
    const record r = program.claim(program.model(fast_net));
    REQUIRE(r.verdict == verdict::violated);
    CHECK_THAT(table_of(r), StartsWith("conv | net | 1000 us | 83 % | 2 calls\n"));
    CHECK_RECORDED(advice_of(r));
}

TEST_CASE("operators of another number of threads are not compared", "[run][unit]") {
    recording_program before;
    before.claim(before.model(fast_net));
    slow_program program(before);
    program.recorder.runs_with = "4 threads";
    const record r = program.claim(program.model(fast_net));
    REQUIRE(r.verdict == verdict::violated);
    CHECK_THAT(table_of(r), StartsWith("conv | net | 1000 us | 83 % | 2 calls\n"));
    CHECK_RECORDED(advice_of(r));
}

TEST_CASE("a subject that sets its threads has those, not the number of the process", "[run][unit]") {
    recording_program program;
    subject net = program.model(fast_net);
    program.evaluate(latency(net.axis("threads", "1")) < 1.05 * baseline());
    CHECK(program.stored().entries.at(0).profile.value().settings == "1 thread");
}

TEST_CASE("the longest 32 operators are stored by name, the others as one time", "[run][unit]") {
    recording_program program;
    program.claim(program.model(many_operators()));
    const part_profile stored = program.stored_operators().value();
    CHECK(stored.longest.size() == 32);
    CHECK(stored.longest.front().name == "op33");
    CHECK(stored.longest.back().name == "op2");
    CHECK(stored.others_ns == 201'000);
}

TEST_CASE("operators that are not stored by name are compared as one row, unless they are longer than the stored ones",
          "[run][unit]") {
    recording_program before;
    before.claim(before.model(many_operators()));
    slow_program program(before);
    operators now = many_operators();
    now.emplace_back("new and short", 80us);
    now.emplace_back("new and long", 900us);
    now.emplace_back("op0", 1us);
    const record r = program.claim(program.model(now));
    REQUIRE(r.verdict == verdict::violated);
    CHECK_RECORDED(table_of(r));
}

TEST_CASE("a name that no file can hold is among the others", "[run][unit]") {
    recording_program program;
    const record r = program.claim(program.model({{"conv", 500us}, {"caf\xe9", 300us}, {"", 100us}}));
    CHECK(r.baseline.value().action == baseline_action::recorded);
    CHECK(program.stored_operators() == part_profile{"2 threads", {{"conv", 5e5, 1}}, 4e5});
}

TEST_CASE("nothing is recorded of what is no model, of hidden operators, of two subjects and of other metrics",
          "[run][unit]") {
    recording_program program;
    CHECK_FALSE(program.claim(program.model({})).baseline.value().profile);
    CHECK(program.runs == 1);  // which showed that it runs no operators
    subject package = program.model(fast_net);
    model_of(package).hidden_operators = "the package runs its own kernels";
    CHECK_FALSE(program.evaluate(p99(latency(package)) < 1.05 * baseline()).baseline.value().profile);
    CHECK_FALSE(
        program.evaluate(speedup(program.model(fast_net), program.sort) > 0.9 * baseline()).baseline.value().profile);
    CHECK_FALSE(
        program.evaluate(throughput(program.model(fast_net).items(1)) > 0.9 * baseline()).baseline.value().profile);
    CHECK(program.runs == 1);
}

TEST_CASE("an update that writes nothing records no operators", "[run][unit]") {
    recording_program program("moved");
    program.store(net_key, about(1e6, 10));
    CHECK(program.claim(program.model(fast_net)).baseline.value().action == baseline_action::kept);
    CHECK(program.runs == 0);
    CHECK_FALSE(program.stored_operators());
}

TEST_CASE("a further session stores the operators of an entry that had none", "[run][unit]") {
    recording_program program("append");
    program.store(net_key, about(1e6, 10));
    CHECK(program.claim(program.model(fast_net)).baseline.value().action == baseline_action::appended);
    CHECK(program.stored_operators().value().longest.size() == 3);
}

TEST_CASE("processes are stored although their operators cannot be recorded", "[run][unit]") {
    recording_program program;
    const subject fails("net", [&program] {
        if (program.recorder.records()) throw std::runtime_error("no input");
    });
    const record r = program.claim(fails);
    CHECK(r.baseline.value().action == baseline_action::recorded);
    CHECK_THAT(advice_of(r), ContainsSubstring("its operators could not be recorded: \"net\" threw: no input"));
    CHECK(program.stored().find(net_key)->processes.size() == 10);
    CHECK_FALSE(program.stored_operators());
}

TEST_CASE("in CI a claim without a baseline carries its operators to accept", "[run][unit]") {
    model_program program(processes_of(1e6, 10));
    program.variables["PERFSPEC_CI"] = "on";
    const record r = program.claim(program.model(fast_net));
    CHECK(r.baseline.value().action == baseline_action::would_be_recorded);
    CHECK(r.baseline.value().profile.value().longest.size() == 3);
    CHECK(from_json_line(to_json_line(r)).baseline.value().profile == r.baseline.value().profile);
}

}  // namespace perfspec
