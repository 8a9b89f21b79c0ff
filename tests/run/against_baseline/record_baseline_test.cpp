// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../stored_program.hpp"

#include <perfspec/quantity/quantity.hpp>
#include <perfspec/report/json_lines.hpp>

namespace perfspec {
namespace {

using namespace testing;

/// A program that updates its baselines in this way.
struct updating_program : stored_program {
    updating_program(const char* mode, std::vector<child_end> children) : stored_program(std::move(children)) {
        variables["PERFSPEC_UPDATE_BASELINES"] = mode;
        files.put_folder("/project/baselines");
    }
    record update() { return evaluate(latency(sort) < 1.06 * baseline()); }
};

const std::string local_folder_of_build = "/build/perfspec-baselines";

}  // namespace

TEST_CASE("a first run at a desk records ten processes and passes", "[run][unit]") {
    stored_program program(processes_of(1e6, 10));
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::skipped);
    CHECK_FALSE(r.failed);
    CHECK_RECORDED(r.reason);
    CHECK(r.evidence.processes == 10);
    CHECK(program.bodies_run == 0);
    CHECK(r.baseline.value().action == baseline_action::recorded);
    CHECK(r.baseline.value().file == program.path(local_folder_of_build));
    const baseline_file file = program.stored(local_folder_of_build);
    REQUIRE(file.entries.size() == 1);
    CHECK(file.entries[0].key == program.key());
    CHECK(file.entries[0].unit == "ns");
    REQUIRE(file.entries[0].processes.size() == 10);
    CHECK(file.entries[0].processes[0].value == 1e6);
    CHECK(file.entries[0].processes[0].time == "2026-11-18T10:00:00Z");
    CHECK(file.entries[0].processes[0].samples == 33);
}

TEST_CASE("a second run at a desk compares with the first one, and may fail", "[run][unit]") {
    stored_program first(processes_of(1e6, 10));
    const record recorded = first.evaluate(latency(first.sort) < 1.05 * baseline());
    REQUIRE(recorded.verdict == verdict::skipped);
    const std::string file = recorded.baseline.value().file;
    stored_program second(processes_of(1.2e6, 4));
    second.files.put(file, first.files.text(file));
    const record r = second.evaluate(latency(second.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::violated);
    CHECK(r.baseline.value().file == file);
}

TEST_CASE("a second assertion on a key that the first one recorded is not compared with itself", "[run][unit]") {
    stored_program program(processes_of(1e6, 10));
    REQUIRE(program.evaluate(latency(program.sort) < 1.05 * baseline()).verdict == verdict::skipped);
    CHECK_RECORDED(program.skipped(latency(program.sort) > 0.5 * baseline()));
}

TEST_CASE("an update of a key is decided by the tightest headroom of its claims", "[run][unit]") {
    stored_program program(processes_of(1.05e6, 20));
    program.store(stored_program::key(), about(1e6, 10));
    program.context().set_option(option_id::update_baselines, "moved");
    CHECK(program.evaluate(latency(program.sort) < 1.5 * baseline()).baseline.value().action == baseline_action::kept);
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).baseline.value().action ==
          baseline_action::updated);
}

TEST_CASE("processes are appended once for all assertions on a key", "[run][unit]") {
    stored_program program(processes_of(1e6, 10));
    program.store(stored_program::key(), about(1e6, 10));
    program.context().set_option(option_id::update_baselines, "append");
    CHECK(program.evaluate(latency(program.sort) < 1.5 * baseline()).baseline.value().action ==
          baseline_action::appended);
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).baseline.value().action == baseline_action::kept);
    CHECK(program.stored().entries.at(0).processes.size() == 20);
}

TEST_CASE("processes are stored once where nothing was stored, also in append mode and in another pass",
          "[run][unit]") {
    stored_program program(processes_of(1e6, 10));
    program.files.put_folder("/project/baselines");
    program.context().set_option(option_id::update_baselines, "append");
    CHECK(program.evaluate(latency(program.sort) < 1.5 * baseline()).baseline.value().action ==
          baseline_action::recorded);
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).baseline.value().action == baseline_action::kept);
    ++program.framework.at.pass;
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).baseline.value().action == baseline_action::kept);
    CHECK(program.stored().entries.at(0).processes.size() == 10);
}

TEST_CASE("fewer processes than can be compared with are not recorded", "[run][unit]") {
    stored_program program(processes_of(1e6, 10));
    program.context().set_option(option_id::processes, "7");
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).evidence.processes == 10);
}

TEST_CASE("a stored value of another unit is not compared with", "[run][unit]") {
    stored_program program;
    program.store(stored_program::key(), about(1e6, 10), "ratio");
    CHECK_RECORDED(program.error(latency(program.sort) < 1.05 * baseline()));
}

TEST_CASE("a first run of a project records in its build folder", "[run][unit]") {
    stored_program program(processes_of(1e6, 10));
    program.files.put_folder("/project/build/perfspec");
    program.context().set_project({"sorts", "/project/baselines", "/project/build/perfspec", ""});
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.suite == "sorts");
    CHECK_RECORDED(r.baseline.value().file);
}

TEST_CASE("a first run that cannot be measured is an error, and records nothing", "[run][unit]") {
    auto children = processes_of(1e6, 9);
    children.push_back(crashed());
    stored_program program(children);
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).verdict == verdict::error);
    CHECK_FALSE(program.files.has(program.path(local_folder_of_build)));
}

TEST_CASE("unknown hardware is skipped in CI, and what it would record is in the record", "[run][unit]") {
    stored_program program(processes_of(1e6, 10));
    program.variables["CI"] = "true";
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::skipped);
    CHECK_FALSE(r.failed);
    CHECK(r.reason == "no baselines for hardware \"" + program.context().hardware_key() + "\" are committed");
    CHECK(r.baseline.value().action == baseline_action::would_be_recorded);
    CHECK(r.baseline.value().now.size() == 10);
    CHECK(r.baseline.value().taken.size() == 10);
    CHECK(r.baseline.value().machine == program.context().machine(library_use::always));
    CHECK_THAT(r.baseline.value().headroom, Catch::Matchers::WithinRel(0.05, 1e-9));
    CHECK(program.files.done.empty());
}

TEST_CASE("a missing key of known hardware is an error in CI", "[run][unit]") {
    stored_program program(processes_of(1e6, 10));
    program.variables["CI"] = "true";
    program.store("another key", about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::error);
    CHECK(r.failed);
    CHECK_THAT(r.reason, StartsWith("this hardware has baselines, but this key has none"));
    CHECK(r.baseline.value().now.size() == 10);
}

TEST_CASE("baseline_processes=0 records nothing in CI", "[run][unit]") {
    stored_program program;
    program.variables["CI"] = "true";
    program.variables["PERFSPEC_BASELINE_PROCESSES"] = "0";
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).verdict == verdict::skipped);
    CHECK(program.launcher.commands().empty());
}

TEST_CASE("fewer processes than can be compared with are not taken in CI either", "[run][unit]") {
    stored_program program(processes_of(1e6, 10));
    program.variables["CI"] = "true";
    program.variables["PERFSPEC_BASELINE_PROCESSES"] = "3";
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).baseline.value().taken.size() == 10);
}

TEST_CASE("baseline_processes=0 does not stop a first run at a desk", "[run][unit]") {
    stored_program program(processes_of(1e6, 10));
    program.variables["PERFSPEC_BASELINE_PROCESSES"] = "0";
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).evidence.processes == 10);
}

TEST_CASE("an update records what is missing", "[run][unit]") {
    const char* mode = GENERATE("1", "moved", "missing", "append", "all");
    updating_program program(mode, processes_of(1e6, 10));
    const record r = program.update();
    CHECK(r.verdict == verdict::skipped);
    CHECK(r.on_request);
    CHECK_FALSE(r.failed);
    CHECK(r.baseline.value().action == baseline_action::recorded);
    CHECK(program.stored().entries.at(0).processes.size() == 10);
    CHECK(program.bodies_run == 0);
    CHECK_THAT(detail::json(program.request_of_child(0).plan.defaults),
               ContainsSubstring(R"("update_baselines":"none")"));
}

TEST_CASE("an update replaces an entry that moved by more, and says by how much", "[run][unit]") {
    updating_program program("1", processes_of(1.1e6, 10));
    program.store(program.key(), about(1e6, 10));
    const record r = program.update();
    CHECK(r.baseline.value().action == baseline_action::updated);
    CHECK_THAT(r.reason, ContainsSubstring("was 1.002 ms, is 1.102 ms (+10 %)"));
    CHECK(program.stored().entries.at(0).processes.at(0).value == 1.1e6);
}

TEST_CASE("an update of all entries replaces those that did not move", "[run][unit]") {
    updating_program program("all", processes_of(1.001e6, 10));
    program.store(program.key(), about(1e6, 10));
    CHECK(program.update().baseline.value().action == baseline_action::updated);
}

TEST_CASE("an update of missing entries measures no other", "[run][unit]") {
    updating_program program("missing", {});
    program.store(program.key(), about(1e6, 10));
    const record r = program.update();
    CHECK(r.verdict == verdict::skipped);
    CHECK(r.baseline.value().action == baseline_action::kept);
    CHECK(program.launcher.commands().empty());
}

TEST_CASE("an update that appends adds a recording session", "[run][unit]") {
    updating_program program("append", processes_of(1.001e6, 10));
    program.store(program.key(), about(1e6, 15));
    const record r = program.update();
    CHECK(r.baseline.value().action == baseline_action::appended);
    const auto processes = program.stored().entries.at(0).processes;
    REQUIRE(processes.size() == 25);
    CHECK(processes.back().value == 1.005e6);  // 1.001e6 * 1.004, as it is rounded for the file
    CHECK(processes.front().recording_session == "session 0");
}

TEST_CASE("a stored rate has the quantiles of rates, which rise", "[run][unit]") {
    std::vector<child_end> processes;
    for (int i = 0; i < 10; ++i) {
        record r;
        r.verdict = verdict::holds;
        r.time = "2026-11-18T10:00:00Z";
        r.estimate = estimate{1e6, 1e6, 1e6, 0.0};
        r.evidence.rounds = 5;
        r.subjects = {{.subject = "parser",
                       .minimum = 0.8e6,
                       .q1 = 0.9e6,
                       .median = 1e6,
                       .q3 = 1.25e6,
                       .p90 = 2e6,
                       .p99 = 4e6,
                       .maximum = 4e6,
                       .samples = 5,
                       .iterations = 1,
                       .strip = {0.8e6, 1e6, 1e6, 1.25e6, 4e6}}};
        processes.push_back(answered(to_json_line(r)));
    }
    stored_program program(std::move(processes));
    const record r = program.evaluate(throughput(program.takes("parser", 1ms).items(1000)) > 0.95 * baseline());
    REQUIRE(r.verdict == verdict::skipped);
    const stored_process kept = program.stored(local_folder_of_build).entries.at(0).processes.at(0);
    CHECK(kept.value == 1e6);
    CHECK(kept.q1 == 8e5);      // 1000 items in 1.25 ms
    CHECK(kept.q3 == 1e6);      // in 1 ms
    CHECK(kept.p90 > kept.q3);  // in less
    CHECK(kept.p99 <= 1.25e6);  // and never in less than 0.8 ms
    CHECK(kept.p99 >= kept.p90);
}

TEST_CASE("what disturbed the processes disturbs the claim", "[run][unit]") {
    std::vector<child_end> processes;
    for (int i = 0; i < 10; ++i) {
        record r = from_json_line(parse_answer(process_of(1e6)).payload.value());
        r.disturbed.load = 3.0 + i;
        r.disturbed.cores = 2;
        r.disturbed.page_faults = 2;
        r.disturbed.notes = {"another measurement was running"};
        processes.push_back(answered(to_json_line(r)));
    }
    stored_program program(std::move(processes));
    const disturbances d = program.evaluate(latency(program.sort) < 1.05 * baseline()).disturbed;
    CHECK(d.load == 12.0);
    CHECK(d.cores == 2);
    CHECK(d.page_faults == 20);
    REQUIRE(d.notes.size() == 2);  // that the scripted machine has no lock, once, and what each process noted, once
    CHECK(d.notes[1] == "another measurement was running");
}

TEST_CASE("an update takes the requested number of processes", "[run][unit]") {
    updating_program program("1", processes_of(1e6, 12));
    program.variables["PERFSPEC_BASELINE_PROCESSES"] = "12";
    CHECK(program.update().baseline.value().processes == 12);
}

TEST_CASE("an update into a folder that cannot be written is an error", "[run][unit]") {
    updating_program program("1", processes_of(1e6, 10));
    program.files.refuse_writes_below("/project/baselines");
    const record r = program.update();
    CHECK(r.verdict == verdict::error);
    CHECK(r.failed);
    CHECK_RECORDED(r.reason);
}

TEST_CASE("an update without a folder for committed baselines is an error, and says how to name one", "[run][unit]") {
    stored_program program;
    program.variables["PERFSPEC_UPDATE_BASELINES"] = "1";
    CHECK_THAT(program.error(latency(program.sort) < 1.05 * baseline()), ContainsSubstring("PERFSPEC_BASELINE_DIR"));
    CHECK(program.launcher.commands().empty());
}

TEST_CASE("an update measures no other claims", "[run][unit]") {
    updating_program program("1", {});
    const record r = program.evaluate(latency(program.sort) < 3ms);
    CHECK(r.verdict == verdict::skipped);
    CHECK(r.on_request);
    CHECK(r.reason == "baselines are being updated: only claims on baseline() are measured");
    CHECK(program.bodies_run == 0);
}

}  // namespace perfspec
