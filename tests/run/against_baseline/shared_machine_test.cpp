// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Processes on a machine with more runnable threads than cores.
#include "../stored_program.hpp"

#include <perfspec/quantity/quantity.hpp>
#include <perfspec/report/json_lines.hpp>

#include <support/captured_stream.hpp>

namespace perfspec {
namespace {

using namespace testing;

/// A process with these disturbances.
child_end process_with(const disturbances& disturbed, double value) {
    record busy = from_json_line(parse_answer(process_of(value)).payload.value());
    busy.disturbed = disturbed;
    return answered(to_json_line(busy));
}

/// A process beside other processes, which used so many of two cores.
child_end process_beside(double cores, double value) {
    return process_with({.cores = 2, .others_cores = cores}, value);
}

/// A process whose time without interruptions is at least this share.
child_end process_of_share(double share, double value) { return process_with({.working_share = share}, value); }

}  // namespace

TEST_CASE("sharing the machine explains a third of a time, and no more", "[run][unit]") {
    const auto [cores, value, code] = GENERATE(table<double, double, verdict>({
        {1.0, 1.4e6, verdict::undecided},
        {1.0, 1.45e6, verdict::violated},
        {0.05, 1.4e6, verdict::violated},
        {2.0, 3e6, verdict::violated},
    }));
    const bool is_of_wall_time = GENERATE(true, false);
    stored_program program({process_beside(cores, value)});
    program.store(is_of_wall_time ? program.key() : "sorting / cpu_time(sort)", about(1e6, 10));
    const record r = is_of_wall_time ? program.evaluate(latency(program.sort) < 1.05 * baseline())
                                     : program.evaluate(cpu_time(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == code);
    CHECK((code == verdict::undecided) == (r.reason.find("1.0 of 2 cores") != std::string::npos));
}

TEST_CASE("what others may explain is no violation of a cold start", "[run][unit]") {
    const auto [process, code] = GENERATE(table<child_end, verdict>({
        {process_of(12e6), verdict::violated},
        {process_beside(1.0, 12e6), verdict::undecided},
        {process_beside(1.0, 14e6), verdict::violated},
        {process_of_share(0.5, 19e6), verdict::undecided},
        {process_of_share(0.5, 21e6), verdict::violated},
    }));
    stored_program program({process});
    CHECK(program.evaluate(cold_start(program.sort) < 10ms).verdict == code);
    stored_program of_more({process});
    CHECK(of_more.evaluate(cold_start(of_more.sort) > 25ms).verdict == verdict::violated);
}

TEST_CASE("sharing explains no memory, and no time of a few processes", "[run][unit]") {
    stored_program of_memory({process_beside(1.0, 1.4e6)});
    of_memory.store("sorting / peak_memory(sort)", about(1e6, 10), "bytes");
    CHECK(of_memory.evaluate(peak_memory(of_memory.sort) <= 1.05 * baseline()).verdict == verdict::violated);
    stored_program alone({process_beside(1.0, 1.4e6), process_of(1.4e6)});  // all others
    alone.store(alone.key(), about(1e6, 10));
    CHECK(alone.evaluate(latency(alone.sort) < 1.05 * baseline()).verdict == verdict::violated);
}

TEST_CASE("processes whose time others explain do not go on to the cap", "[run][unit]") {
    child_end slow = process_of_share(0.2, 3e6);
    slow.seconds = 3.0;
    stored_program program({slow});
    std::vector<double> stored = about(1e6, 10);
    stored.back() = 20e6;  // without the waiting it goes on for twenty processes
    program.store(program.key(), stored);
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::undecided);
    CHECK(r.evidence.processes == 5);
}

TEST_CASE("waiting for a processor explains what lies beyond the work, and nothing else", "[run][unit]") {
    const auto [share, value, code] = GENERATE(table<double, double, verdict>({
        {0.6, 1.7e6, verdict::undecided},
        {0.6, 1.8e6, verdict::violated},
        {1.0, 1.2e6, verdict::violated},
        {0.0, 700e6, verdict::undecided},
    }));
    stored_program program({process_of_share(share, value)});
    program.store(program.key(), about(1e6, 10));
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).verdict == code);
    stored_program of_work({process_of_share(share, value)});
    of_work.store("sorting / cpu_time(sort)", about(1e6, 10));
    CHECK(of_work.evaluate(cpu_time(of_work.sort) < 1.05 * baseline()).verdict == verdict::violated);
}

TEST_CASE("one burst excuses no more than the waiting of the other processes", "[run][unit]") {
    stored_program program({process_of_share(0.01, 3e6), process_of_share(0.5, 3e6)});  // then a half for good
    program.store(program.key(), about(1e6, 10));
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).verdict == verdict::violated);
}

TEST_CASE("how threads are placed that wait for each other explains what is beyond their work on all cores",
          "[run][unit]") {
    struct row {
        double waited, value, processor_ns, others_cores;
        verdict code;
    };
    const row given = GENERATE(values<row>({
        {0.5, 3e6, 3.8e6, 0.0, verdict::undecided},
        {0.0, 3e6, 3.8e6, 0.0, verdict::violated},
        {0.5, 4e6, 5.6e6, 0.0, verdict::violated},    // at best it takes 2.8 ms
        {0.5, 2.4e6, 4.8e6, 0.0, verdict::violated},  // at best it takes as long
        {0.5, 3e6, 3.1e6, 0.0, verdict::violated},    // of one thread
        {0.5, 3e6, 3.8e6, 1.0, verdict::violated},    // beside others, sharing explains a third
    }));
    record r = from_json_line(parse_answer(process_of(given.value)).payload.value());
    r.disturbed.cores = 2;
    r.disturbed.others_cores = given.others_cores;
    r.disturbed.waited_seconds = given.waited;
    r.evidence.seconds = 1.0;
    r.evidence.processor_ns = given.processor_ns;
    stored_program program({answered(to_json_line(r))});
    program.store(program.key(), about(2e6, 10));
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).verdict == given.code);
}

TEST_CASE("what makes processes slower explains no gain", "[run][unit]") {
    const child_end faster = GENERATE(process_beside(1.0, 0.8e6), process_of_share(0.5, 0.8e6));
    stored_program program({faster});
    program.store(program.key(), about(1e6, 10));
    CHECK(program.evaluate(latency(program.sort) == within(baseline(), 5_pct)).verdict == verdict::violated);
}

TEST_CASE("both sides of a tolerance see what lengthened the processes that they share", "[run][unit]") {
    stored_program program({process_of_share(0.5, 1.3e6)});
    program.store(program.key(), about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) == within(baseline(), 5_pct));
    CHECK(r.verdict == verdict::undecided);
    CHECK_THAT(r.reason, Catch::Matchers::ContainsSubstring("without this waiting it may be 2 times shorter"));
    CHECK(r.disturbed.lengthened == 10);
}

TEST_CASE("a first run beside other work says that its baseline misses most changes, and how to record it again",
          "[run][unit]") {
    std::vector<child_end> processes;
    for (const double ms : {1.0, 1.01, 1.0, 1.02, 1.01, 1.0, 1.01, 6.0, 12.0, 20.0})
        processes.push_back(process_of(ms * 1e6));
    stored_program program(std::move(processes));
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::skipped);
    CHECK(r.baseline.value().action == baseline_action::recorded);
    CHECK(r.baseline.value().detectable > 0.5);
    CHECK_RECORDED(r.reason);
}

TEST_CASE("a recording beside other processes says how far off it may be", "[run][unit]") {
    const auto [cores, says] = GENERATE(table<double, bool>({{1.0, true}, {0.05, false}}));
    stored_program program({process_beside(cores, 1e6)});
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict::skipped);
    CHECK((r.reason.find("1.0 of 2 cores, so its value may be off by up to 35 %") != std::string::npos) == says);
}

TEST_CASE("an update refuses processes that spread too much, unless it is forced", "[run][unit]") {
    std::vector<child_end> wild;
    for (int i = 0; i < 10; ++i) wild.push_back(process_of(i % 2 == 0 ? 1e6 : 2e6));
    const auto update = [&](stored_program& program) {
        program.variables["PERFSPEC_UPDATE_BASELINES"] = "1";
        program.files.put_folder("/project/baselines");
        return program.evaluate(latency(program.sort) < 1.06 * baseline());
    };
    stored_program program(wild);
    const record r = update(program);
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason, StartsWith("the measured values vary by"));
    REQUIRE(r.advice.size() == 1);
    CHECK_RECORDED(r.advice[0]);
    CHECK(r.baseline.value().action == baseline_action::refused);
    CHECK(r.baseline.value().taken.size() == 10);
    CHECK_FALSE(program.files.has(program.path()));

    stored_program forced(wild);
    forced.variables["PERFSPEC_RECORD_ANYWAY"] = "on";
    CHECK(update(forced).baseline.value().action == baseline_action::recorded);
}

TEST_CASE("an update starts no git, as what it records is mostly committed with it", "[run][unit]") {
    stored_program program(processes_of(1e6, 10));  // git would be one more child
    program.files.put("/project/.git/HEAD", std::string(40, 'a').append(1, '\n'));
    program.files.put_folder("/project/baselines");
    program.variables["PERFSPEC_UPDATE_BASELINES"] = "1";
    CHECK(program.evaluate(latency(program.sort) < 1.06 * baseline()).verdict == verdict::skipped);
    CHECK(program.launcher.commands().size() == 10);
}

}  // namespace perfspec
