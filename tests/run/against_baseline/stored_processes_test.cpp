// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../stored_program.hpp"

#include <perfspec/language/complexity.hpp>
#include <perfspec/quantity/quantity.hpp>

namespace perfspec {

using namespace testing;

TEST_CASE("a stored claim holds after two processes well inside its bound", "[run][unit]") {
    stored_program program(processes_of(1e6, 2));
    program.store(program.key(), about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::holds);
    CHECK_FALSE(r.failed);
    CHECK(r.evidence.processes == 2);
    CHECK(r.evidence.rounds == 66);
    CHECK(program.bodies_run == 0);  // the parent is never a process
    CHECK_THAT(r.bound.value(), WithinRel(1.05 * 1.002e6, 1e-12));
    const baseline_origin& origin = r.baseline.value();
    CHECK(origin.file == program.path());
    CHECK(origin.key == program.key());
    CHECK(origin.action == baseline_action::compared);
    CHECK(origin.processes == 10);
    CHECK(origin.recorded == "2026-11-01T08:00:00Z");
    CHECK(origin.commit == "c0ffee");
    CHECK(origin.now.size() == 2);
    CHECK(origin.differences.empty());
}

TEST_CASE(
    "a stored claim is violated after five processes beyond its bound and the drift, without another confirmation",
    "[run][unit]") {
    stored_program program(processes_of(1.2e6, 4));
    program.store(program.key(), about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::violated);
    CHECK(r.failed);
    CHECK(r.evidence.processes == 5);
    CHECK_THAT(r.estimate.value().value, WithinRel(1.2e6 * 1.002, 1e-12));
}

TEST_CASE("a stored claim's record has its processes in full, and what they ran on", "[run][unit]") {
    stored_program program(processes_of(1e6, 2));
    program.variables["PERFSPEC_RUN_ID"] = "77-1";
    program.store(program.key(), about(1e6, 10));
    const baseline_origin origin = program.evaluate(latency(program.sort) < 1.05 * baseline()).baseline.value();
    REQUIRE(origin.taken.size() == 2);
    CHECK(origin.taken[0] == stored_process{.value = 1e6,
                                            .q1 = 0.99e6,
                                            .q3 = 1.01e6,
                                            .p90 = 1.02e6,
                                            .p99 = 1.03e6,
                                            .samples = 33,
                                            .iterations = 10,
                                            .time = "2026-11-18T10:00:00Z",
                                            .commit = {},
                                            .run = "77-1",
                                            .recording_session = "2026-11-18T09:12:44Z/7"});
    CHECK(origin.machine == program.context().machine(library_use::always));
    CHECK_THAT(origin.headroom, WithinRel(0.05, 1e-9));
}

TEST_CASE("a violated claim in CI takes the processes of a baseline, and stays as it was judged", "[run][unit]") {
    stored_program program(processes_of(1.2e6, 10));
    program.variables["CI"] = "true";
    program.store(program.key(), about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::violated);
    CHECK(r.failed);
    CHECK(r.evidence.processes == 5);
    CHECK(r.evidence.rounds == 5 * 33);
    CHECK(r.baseline.value().now.size() == 5);
    CHECK(r.baseline.value().taken.size() == 10);
    CHECK(program.launcher.commands().size() == 10);
}

TEST_CASE("processes that fail after a claim was violated do not change that", "[run][unit]") {
    auto children = processes_of(1.2e6, 6);
    children.push_back(crashed());
    stored_program program(children);
    program.variables["CI"] = "true";
    program.store(program.key(), about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::violated);
    CHECK(r.reason.empty());
    CHECK(r.baseline.value().taken.size() == 6);
    REQUIRE(r.advice.size() == 1);
    CHECK_RECORDED(r.advice[0]);
}

TEST_CASE("no processes are taken beyond the judged ones at a desk, where baseline_processes=0, or where a claim holds",
          "[run][unit]") {
    const auto [variable, value, process, taken] = GENERATE(table<const char*, const char*, double, std::size_t>(
        {{"CI", "", 1.2e6, 5}, {"PERFSPEC_BASELINE_PROCESSES", "0", 1.2e6, 5}, {"CI", "true", 1e6, 2}}));
    stored_program program(processes_of(process, 10));
    if (std::string(variable) == "PERFSPEC_BASELINE_PROCESSES") program.variables["CI"] = "true";
    program.variables[variable] = value;
    program.store(program.key(), about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.baseline.value().taken.size() == taken);
    CHECK(program.launcher.commands().size() == taken);
}

/// Processes around 1.05 ms, the bound of 1.05 * baseline() for about(1e6, 10).
std::vector<child_end> at_the_bound() {
    std::vector<child_end> processes;
    for (int i = 0; i < 20; ++i) processes.push_back(process_of(i % 2 == 0 ? 1.046e6 : 1.058e6));
    return processes;
}

TEST_CASE("a stored claim is undecided after twenty processes at its bound", "[run][unit]") {
    stored_program program(at_the_bound());
    program.store(program.key(), about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::undecided);
    CHECK(r.evidence.processes == 20);
    CHECK(r.reason == "20 fresh processes do not show whether the claim holds or is violated");
    REQUIRE(r.advice.size() == 1);
    CHECK_RECORDED(r.advice[0]);
}

TEST_CASE("processes beyond the bound and the drift go on after ten seconds, and others do not", "[run][unit]") {
    const auto [value, code, taken] = GENERATE(table<double, verdict, std::size_t>({
        {3e6, verdict::violated, 20},
        {1.1e6, verdict::undecided, 5},
    }));
    child_end slow = process_of(value);
    slow.seconds = 3.0;
    stored_program program({slow});
    std::vector<double> stored = about(1e6, 10);
    stored.back() = 20e6;  // one outlier
    program.store(program.key(), stored);
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == code);
    CHECK(r.evidence.processes == taken);
}

TEST_CASE("processes are added to the baseline that was compared with, also to one of this machine", "[run][unit]") {
    stored_program program(at_the_bound());
    program.store(program.key(), about(1e6, 10), "ns", "/build/perfspec-baselines");
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    REQUIRE(r.advice.size() == 1);
    CHECK_RECORDED(r.advice[0]);
}

TEST_CASE("a stored claim takes the rates that it is given", "[run][unit]") {
    stored_program program(processes_of(1.2e6, 20));
    program.store(program.key(), about(1e6, 10));
    const record strict = program.evaluate(latency(program.sort) < 1.05 * baseline(), {false_failure(1e-5)});
    CHECK(strict.verdict == verdict::violated);
    CHECK(strict.evidence.processes == 10);  // five against ten are never so rare
    CHECK_RECORDED(program.error(latency(program.sort) < 1.06 * baseline(), {false_failure(1e-9)}));
}

TEST_CASE("what is beyond the bound and within the drift of the machine does not fail", "[run][unit]") {
    stored_program program(processes_of(1.1e6, 20));
    program.store(program.key(), about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::undecided);
    CHECK_FALSE(r.failed);
    CHECK_RECORDED(r.reason);
    CHECK(r.baseline.value().sessions == 1);
    CHECK_THAT(r.baseline.value().drift, WithinRel(0.10, 1e-9));
    REQUIRE(r.advice.size() == 1);
    CHECK_RECORDED(r.advice[0]);
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline(), {drift(0_pct)}).verdict == verdict::violated);
}

TEST_CASE("three sessions that agree let less pass", "[run][unit]") {
    stored_program program(processes_of(1.1e6, 20));
    program.store_sessions(program.key(), {about(1e6, 10), about(1.001e6, 10), about(0.999e6, 10)});
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::violated);
    CHECK(r.baseline.value().sessions == 3);
    CHECK(r.baseline.value().drift < 0.04);
}

TEST_CASE("three sessions that differ advise a comparison that does not drift", "[run][unit]") {
    stored_program program(processes_of(1.2e6, 20));
    program.store_sessions(program.key(), {about(1e6, 10), about(1.1e6, 10), about(0.9e6, 10)});
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::undecided);
    REQUIRE(r.advice.size() == 1);
    CHECK_THAT(r.advice[0], StartsWith("compare in one run, with speedup(a, b), or with another build"));
}

TEST_CASE("processes that spread widely fail no test by less than a factor of two", "[run][unit]") {
    const auto [fresh, expected] =
        GENERATE(table<double, verdict>({{3.6e6, verdict::undecided}, {5e6, verdict::violated}}));
    stored_program program(processes_of(fresh, 20));
    std::vector<double> wild;
    for (int i = 0; i < 10; ++i) wild.push_back(1e6 * (1.0 + 0.2 * i));
    program.store(program.key(), wild);
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == expected);
    if (expected == verdict::violated) return;
    CHECK_THAT(r.reason,
               ContainsSubstring("the stored processes spread by ") && ContainsSubstring("which may explain that"));
    REQUIRE(r.advice.size() == 1);
    CHECK_THAT(r.advice[0], ContainsSubstring("PERFSPEC_UPDATE_BASELINES=all"));
}

TEST_CASE("fresh processes that spread widely fail no test by less than a factor of two", "[run][unit]") {
    const auto [fastest, expected] =
        GENERATE(table<double, verdict>({{1.4e6, verdict::undecided}, {2e6, verdict::violated}}));
    std::vector<child_end> processes;
    for (int i = 0; i < 20; ++i) processes.push_back(process_of(fastest * (1.0 + 0.3 * (i % 4))));
    stored_program program(processes);
    program.store(program.key(), about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == expected);
    if (expected == verdict::undecided)
        CHECK_THAT(r.reason,
                   ContainsSubstring("the fresh processes spread by ") && ContainsSubstring("which may explain that"));
}

TEST_CASE("processes at two speeds that are beyond the bound stay undecided, for a reason that fits their median",
          "[run][unit]") {
    std::vector<child_end> two_speeds;
    for (int i = 0; i < 20; ++i) two_speeds.push_back(process_of(i % 3 == 2 ? 1.1e6 : 1.9e6));
    stored_program program(two_speeds);
    program.store(program.key(), about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::undecided);
    CHECK_RECORDED(r.reason);
}

TEST_CASE("a stored claim may shift its baseline, and bound it from below", "[run][unit]") {
    stored_program program(processes_of(1e6, 20));
    program.store(program.key(), about(1e6, 10));
    CHECK(program.evaluate(latency(program.sort) < baseline() + 20us).verdict == verdict::holds);
    CHECK(program.evaluate(latency(program.sort) > baseline() - 20us).verdict == verdict::holds);
    CHECK(program.evaluate(latency(program.sort) < baseline() - 200us).verdict == verdict::violated);
    CHECK(program.evaluate(latency(program.sort) > 1.2 * baseline()).verdict == verdict::violated);
}

TEST_CASE("a stored claim on a ratio compares ratios", "[run][unit]") {
    stored_program program(processes_of(1.8, 4));
    program.store("sorting / speedup(sort, other)", about(2.0, 10), "ratio");
    const record r = program.evaluate(speedup(program.sort, program.takes("other", 1ms)) > 0.95 * baseline());
    CHECK(r.verdict == verdict::violated);
    CHECK(r.unit == dimension::ratio);
}

TEST_CASE("a stored claim on a complexity compares powers, also those around 0", "[run][unit]") {
    struct row {
        double stored;
        double now;
        perfspec::verdict found;
    };
    const auto r = GENERATE(values<row>({
        {1.0, 1.02, verdict::holds},
        {1.0, 1.2, verdict::violated},
        {0.001, 0.02, verdict::holds},
        {0.001, 0.3, verdict::violated},
        {-0.01, -0.03, verdict::holds},
    }));
    stored_program program(processes_of(r.now, 4));
    program.store("sorting / grows", about(r.stored, 10), "power");
    const auto make = [](std::size_t n) { return n; };
    const auto body = [](std::size_t& n) { return n; };
    const record found =
        program.evaluate(complexity(setup(make), body, {1, 3, 9}) <= baseline() + order::power(0.1), {key("grows")});
    CHECK(found.reason.empty());
    CHECK(found.verdict == r.found);
    CHECK(found.unit == dimension::power);
}

TEST_CASE("a shift larger than the stored value is an error", "[run][unit]") {
    stored_program program;
    program.store(program.key(), about(1e6, 10));
    CHECK_RECORDED(program.error(latency(program.sort) > baseline() - 2ms));
}

TEST_CASE("fewer than ten stored processes are errors, and nothing is measured", "[run][unit]") {
    stored_program program;
    program.store(program.key(), about(1e6, 9));
    CHECK_RECORDED(program.error(latency(program.sort) < 1.05 * baseline()));
}

TEST_CASE("a corrupt baseline file is an error, and named with its line", "[run][unit]") {
    stored_program program;
    program.store(program.key(), about(1e6, 10));
    std::string text = program.files.text(program.path());
    text.replace(text.find("\"values\""), 8, "\"velues\"");
    program.files.put(program.path(), text);
    CHECK_THAT(program.error(latency(program.sort) < 1.05 * baseline()),
               StartsWith(program.path() + ":") && ContainsSubstring("velue"));
    CHECK(program.launcher.commands().empty());
}

TEST_CASE("an unreadable baseline file is an error", "[run][unit]") {
    stored_program program;
    program.store(program.key(), about(1e6, 10));
    program.files.refuse_reading(program.path(), read_outcome::unreadable, "Permission denied");
    CHECK_THAT(program.error(latency(program.sort) < 1.05 * baseline()), ContainsSubstring("Permission denied"));
}

TEST_CASE("a process that fails makes a stored claim an error", "[run][unit]") {
    const auto [end, why] = GENERATE(table<child_end, const char*>({
        {crashed(), "signal 11"},
        {confirms(verdict::error, "\"sort\" threw: no memory"), "\"sort\" threw: no memory"},
    }));
    stored_program program({process_of(1.2e6), end});
    program.store(program.key(), about(1e6, 10));
    CHECK_THAT(program.error(latency(program.sort) < 1.05 * baseline()),
               StartsWith("a fresh process could not be measured: ") && ContainsSubstring(why));
}

TEST_CASE("a committed entry wins over one of this machine", "[run][unit]") {
    stored_program program(processes_of(1e6, 2));
    program.store(program.key(), about(1e6, 10));
    program.store(program.key(), about(0.5e6, 10), "ns", "/build/perfspec-baselines");
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::holds);
    CHECK(r.baseline.value().file == program.path());
}

TEST_CASE("a build variant has its own baselines", "[run][unit]") {
    stored_program program(processes_of(1e6, 10));
    program.variables["PERFSPEC_BUILD_VARIANT"] = "clang";
    program.store(program.key(), about(0.5e6, 10));
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::skipped);  // recorded for the variant
    CHECK(r.build_variant == "clang");
    CHECK(program.files.has(program.path("/build/perfspec-baselines", "clang")));
}

}  // namespace perfspec
