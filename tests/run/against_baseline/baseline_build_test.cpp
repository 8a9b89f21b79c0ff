// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../two_builds.hpp"
#include "support/replay.hpp"

#include <perfspec/process/workers/worker.hpp>
#include <perfspec/quantity/quantity.hpp>
#include <perfspec/report/console/console.hpp>
#include <perfspec/stats/summary.hpp>

namespace perfspec {

using namespace testing;

TEST_CASE("a claim against another build holds after seven process pairs", "[run][unit]") {
    two_builds program;
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::holds);
    CHECK_FALSE(r.failed);
    CHECK(r.evidence.processes == 7);
    CHECK(r.evidence.rounds == 210);
    CHECK(r.evidence.confirming_rounds == 0);
    CHECK_THAT(r.evidence.seconds,
               WithinAbs(7 * 66 * 3e-3, 1e-3));  // 30 pairs and 3 untimed ones of two samples of 3 ms
    CHECK(r.evidence.seed == 7);
    CHECK(program.bodies_run == 0);
    CHECK(program.launcher.living == 0);
    CHECK_THAT(r.estimate.value().value, WithinRel(1e6, 1e-12));
    CHECK_THAT(r.estimate.value().high, WithinRel(1e6, 1e-12));
    CHECK(r.estimate.value().level == 0.95);
    CHECK_THAT(r.bound.value(), WithinRel(1.05e6, 1e-12));
    CHECK(r.bound_text == "1.05 x 1.000 ms, the baseline build");
    const baseline_origin& origin = r.baseline.value();
    CHECK(origin.file == "/baseline/sort_test");
    CHECK(origin.key == "sorting / latency(sort)");
    CHECK(origin.action == baseline_action::baseline_build);
    CHECK(origin.commit == "3f2c1ab");
    CHECK(origin.processes == 7);
    CHECK(origin.values == std::vector<double>(7, 1e6));
    CHECK(origin.now == std::vector<double>(7, 1e6));
    REQUIRE(r.subjects.size() == 2);
    CHECK(r.subjects[0].samples == 210);
    CHECK(r.subjects[1].subject == "sort, baseline build");
    CHECK(r.subjects[1].iterations == 3);
}

TEST_CASE("a claim against another build is violated after eleven process pairs, and needs no confirmation",
          "[run][unit]") {
    two_builds program;
    program.head.call_ns = always(1.2e6);
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::violated);
    CHECK(r.failed);
    CHECK(r.evidence.processes == 11);
    CHECK(r.evidence.confirming_rounds == 0);
    CHECK_THAT(r.estimate.value().value, WithinRel(1.2e6, 1e-9));
    CHECK(program.launcher.commands().size() == 22);
    REQUIRE(r.commands.size() == 1);  // no baseline to accept
    CHECK(r.commands[0].second == "PERFSPEC_BASELINE_BUILD='/baseline/sort_test' '/build/sort_test' 'sorting'");
}

TEST_CASE("the centers of process pairs are what is tested", "[run][unit]") {
    two_builds program;
    const auto head = [](int process, int sample) {
        return 1.01e6 + 1e4 * ((7 * process) % 5) + 1e3 * ((3 * sample) % 7);
    };
    program.head.call_ns = head;
    program.baseline.call_ns = [](int, int sample) { return 1e6 + 1e3 * ((5 * sample) % 11); };
    const record r =
        program.evaluate(latency(program.sort) <= 1.02 * baseline(), {seed(3), budget(4100ms), cap(4100ms)});
    std::vector<double> distances;
    for (int process = 0; process < static_cast<int>(r.evidence.processes); ++process) {
        std::vector<double> ratios;
        for (int sample = 3; sample < 33; ++sample)  // after three untimed pairs
            ratios.push_back(std::log(head(process, sample) / program.baseline.call_ns(process, sample)));
        distances.push_back(std::log(1.02) - hodges_lehmann(ratios));
    }
    const sequential test = replay(distances, sequential_settings::for_process_centers());
    CHECK(r.evidence.processes == 20);
    CHECK_THAT(r.evidence.log_e_holds, WithinAbs(test.progress().log_e_holds, 1e-9));
    CHECK_THAT(r.evidence.log_e_violated, WithinAbs(test.progress().log_e_violated, 1e-9));
}

TEST_CASE("both builds are started for the claim, in a drawn order, and asked one at a time in a drawn order",
          "[run][unit]") {
    two_builds program;
    REQUIRE(program.evaluate(latency(program.sort) < 1.05 * baseline()).verdict == verdict::holds);
    const auto& commands = program.launcher.commands();
    REQUIRE(commands.size() == 14);
    for (std::size_t i = 0; i < commands.size(); ++i) {
        CHECK(program.request_of_child(i).task == child_task::serve);
        CHECK(program.request_of_child(i).seed == 7);
        CHECK(program.request_of_child(i).address == claim_address{"sorting / latency(sort)", 0});
        CHECK(program.variable_of_child(i, "PERFSPEC_BASELINE_BUILD").empty());
        CHECK_THAT(detail::json(program.request_of_child(i).plan.defaults),
                   ContainsSubstring(R"("baseline_build":"")"));
        CHECK(commands[i].arguments == std::vector<std::string>{"--only", "sorting"});
    }
    int reference_started_first = 0;
    for (std::size_t i = 0; i < commands.size(); i += 2)
        reference_started_first += commands[i].executable == "/baseline/sort_test";
    CHECK(reference_started_first > 0);
    CHECK(reference_started_first < 7);
    const std::string run = R"( {"request":"run","iterations":3,"warm":false})";
    CHECK(program.count("head" + run) == 7 * 33);
    CHECK(program.count("baseline" + run) == 7 * 33);
    int head_first = 0;
    std::vector<std::string> runs;
    for (const std::string& request : program.requests)
        if (request.find("\"run\"") != std::string::npos) runs.push_back(request);
    for (std::size_t i = 0; i < runs.size(); i += 2) {
        CHECK(runs[i] != runs[i + 1]);
        head_first += runs[i].starts_with("head");
    }
    CHECK(head_first > 80);  // of 231 fair tosses
    CHECK(head_first < 151);
    CHECK(program.max_living == 2);
}

TEST_CASE("both builds of a process pair are sampled on one core, which is drawn", "[run][unit]") {
    two_builds program;
    program.cores = {4, 5, 9};
    static_cast<void>(program.evaluate(latency(program.sort) < 1.1 * baseline()));
    std::vector<std::set<std::uint64_t>> of_pair;
    for (const std::string& line : program.requests) {
        if (line == "head start" && (of_pair.empty() || !of_pair.back().empty())) of_pair.emplace_back();
        if (line == "baseline start" && (of_pair.empty() || !of_pair.back().empty())) of_pair.emplace_back();
        if (const auto at = line.find("\"core\":"); at != line.npos) of_pair.back().insert(line[at + 7] - '0');
    }
    REQUIRE(of_pair.size() == 7);
    std::set<std::uint64_t> all;
    for (const auto& cores : of_pair) {
        CHECK(cores.size() == 1);
        all.insert(cores.begin(), cores.end());
    }
    CHECK(all == std::set<std::uint64_t>{4, 5, 9});
}

TEST_CASE("both builds run the same number of iterations, and are warmed the same", "[run][unit]") {
    two_builds program;
    program.head.iterations = 7;
    program.baseline.iterations = 5;
    program.head.call_ns = program.baseline.call_ns = always(20e3);
    REQUIRE(program.evaluate(latency(program.sort) < 1.05 * baseline()).verdict == verdict::holds);
    CHECK(program.count(R"(head {"request":"run","iterations":7,"warm":true})") == 231);
    CHECK(program.count(R"(baseline {"request":"run","iterations":7,"warm":true})") == 231);
}

TEST_CASE("the iterations of a process pair are no more than either build can prepare", "[run][unit]") {
    two_builds program;
    program.head.iterations = 7;
    program.baseline.iterations = 5;
    program.baseline.max_iterations = 6;
    REQUIRE(program.evaluate(latency(program.sort) < 1.05 * baseline()).verdict == verdict::holds);
    CHECK(program.count(R"(head {"request":"run","iterations":6,"warm":false})") == 231);
    CHECK(program.count(R"(baseline {"request":"run","iterations":6,"warm":false})") == 231);
}

TEST_CASE("bounds of every form mean the baseline build", "[run][unit]") {
    const auto [head_ns, factor, offset, percentage] = GENERATE(table<double, verdict, verdict, verdict>({
        {1.04e6, verdict::holds, verdict::holds, verdict::violated},
        {1.08e6, verdict::violated, verdict::holds, verdict::violated},
        {1.12e6, verdict::violated, verdict::violated, verdict::violated},
        {0.9e6, verdict::holds, verdict::holds, verdict::holds},
    }));
    two_builds program;
    program.head.call_ns = always(head_ns);
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).verdict == factor);
    CHECK(program.evaluate(latency(program.sort) < baseline() + 100us).verdict == offset);
    CHECK(program.evaluate(latency(program.sort) < baseline() - 5_pct).verdict == percentage);
}

TEST_CASE("a rate is compared as a rate, with the work that each build declares", "[run][unit]") {
    two_builds program;
    program.key = "sorting / throughput(sort)";
    program.sort.items(1000);
    program.head.hello.unit = program.baseline.hello.unit = "items/s";
    program.head.hello.work = program.baseline.hello.work = 1000.0;
    program.head.call_ns = always(1.2e6);
    CHECK(program.evaluate(throughput(program.sort) > 0.95 * baseline()).verdict == verdict::violated);
    two_builds more = {};
    more.key = program.key;
    more.sort.items(1300);
    more.baseline.hello = program.baseline.hello;
    more.head.hello = program.head.hello;
    more.head.hello.work = 1300.0;
    more.head.call_ns = always(1.2e6);
    const record r = more.evaluate(throughput(more.sort) > 0.95 * baseline());
    CHECK(r.verdict == verdict::holds);
    CHECK_THAT(r.estimate.value().value, WithinRel(1300 / 1.2e6 * 1e9, 1e-9));
    CHECK_THAT(r.baseline.value().median, WithinRel(1e6, 1e-9));
}

TEST_CASE("ratios and percentiles are measured by one build after the other, in a drawn order", "[run][unit]") {
    two_builds program;
    const auto other = program.takes("other", 1ms);
    const auto verdict_of = [&](const std::string& key, double head, const claim& c) {
        program.key = key;
        program.head.value = [head](int) { return head; };
        program.baseline.value = [](int) { return 2.0; };
        program.requests.clear();
        return program.evaluate(c);
    };
    program.head.hello.unit = program.baseline.hello.unit = "ratio";
    const record ratio =
        verdict_of("sorting / speedup(sort, other)", 1.8, speedup(program.sort, other) > 0.95 * baseline());
    CHECK(ratio.verdict == verdict::violated);
    CHECK(ratio.evidence.processes == 11);
    CHECK(ratio.evidence.rounds == 11 * 66);
    CHECK_THAT(ratio.estimate.value().value, WithinRel(1.8, 1e-12));
    CHECK(program.count(R"(head {"request":"measure"})") == 11);
    CHECK(program.count(R"(baseline {"request":"measure"})") == 11);
    CHECK(program.count(R"(head {"request":"prepare"})") == 0);
    int baseline_first = 0;
    for (std::size_t i = 0; i < 22; i += 2)
        baseline_first += program.launcher.commands()[i].executable == "/baseline/sort_test";
    CHECK(baseline_first > 0);
    CHECK(baseline_first < 11);
    program.head.hello.unit = program.baseline.hello.unit = "ns";
    const record tail = verdict_of("sorting / p99(latency(sort))", 2.0, p99(latency(program.sort)) < 1.2 * baseline());
    CHECK(tail.verdict == verdict::holds);
    CHECK(tail.evidence.processes == 7);
    CHECK(program.max_living == 1);
}

TEST_CASE("a cap in which too few process pairs fit to find a violation is an error, with what they need",
          "[run][unit]") {
    two_builds program;
    program.head.call_ns = program.baseline.call_ns = always(10e6);  // 30 pairs of 2 x 3 x 10 ms: 1.8 s
    program.variables["PERFSPEC_CAP"] = "12s";
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::error);
    CHECK(r.failed);
    CHECK_RECORDED(r.reason);
    CHECK(program.count(R"(head {"request":"run","iterations":3,"warm":false})") == 0);  // found before measuring
    CHECK(program.launcher.living == 0);
    const record given = program.evaluate(latency(program.sort) < 1.05 * baseline(), {budget(5s), cap(5s)});
    CHECK_RECORDED(given.reason);
}

TEST_CASE("time to start the builds is no part of a budget, and is reported", "[run][unit]") {
    two_builds program;
    program.head.call_ns = always(0.5e6);
    program.head.instead = [&](const std::string& request) {
        if (request.empty()) program.wall.advance(4s);
        return worker_reply{};
    };
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline(), {budget(2s)});
    CHECK(r.verdict == verdict::holds);
    CHECK(r.evidence.processes == 7);
    CHECK_THAT(r.evidence.starting_seconds, WithinAbs(28.0, 1e-6));
    CHECK_THAT(r.evidence.measuring_seconds(), WithinAbs(7 * 0.1485, 1e-6));  // 33 pairs of 1.5 and 3 ms
    CHECK_THAT(render_console(r, {.verbosity = console_verbosity::verbose}),
               ContainsSubstring("7 process pairs, 210 rounds, 1 s of a budget of ") && ContainsSubstring("28 s to"));
}

TEST_CASE("a claim that the baseline build does not have is new: measured, recorded, passed, counted", "[run][unit]") {
    two_builds program;
    program.baseline.instead = reply_to("", {R"({"answer":"unreached","key":"sorting / other"})", ended(0)});
    program.head.value = [](int) { return 2.5e6; };
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::skipped);
    CHECK_FALSE(r.failed);
    CHECK(r.reason == "the baseline build does not have this claim");
    CHECK_FALSE(r.on_request);
    CHECK(r.estimate.value().value == 2.5e6);
    CHECK(r.baseline.value().action == baseline_action::is_new);
    CHECK(r.baseline.value().now == std::vector{2.5e6});
    CHECK(program.launcher.living == 0);
    CHECK(program.count(R"(head {"request":"measure"})") == 1);
    CHECK(program.context().exit_code(0) == 77);  // nothing was compared
    CHECK_THAT(program.context().summary(), ContainsSubstring("perfspec: 1 claim: 1 new; measuring took"));
}

TEST_CASE("rates and margin are the plan's", "[run][unit]") {
    two_builds program;
    program.head.call_ns = always(1.2e6);
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline(), {false_failure(0.05)});
    CHECK(r.verdict == verdict::violated);
    CHECK(r.evidence.processes == 7);
}

TEST_CASE("the baseline build may be named by its folder", "[run][unit]") {
    struct row {
        std::string against, cache, program;
    };
    const auto r = GENERATE(values<row>({
        {"/ref", "/build/CMakeCache.txt", "/ref/tests/sort_test"},
        {"/ref", "/elsewhere/CMakeCache.txt", "/ref/sort_test"},
        {"ref", "/build/CMakeCache.txt", "/project/ref/tests/sort_test"},
        {"ref/program", "/build/CMakeCache.txt", "/project/ref/program"},
    }));
    two_builds program;
    program.start.executable = "/build/tests/sort_test";
    program.files.put_folder("/ref");
    program.files.put_folder("/project/ref");
    program.files.put(r.cache, "x");
    program.variables["PERFSPEC_BASELINE_BUILD"] = r.against;
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).baseline.value().file == r.program);
}

}  // namespace perfspec
