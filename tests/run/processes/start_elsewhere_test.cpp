// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Fresh processes that another program starts: PERFSPEC_LAUNCHER.
#include "../counted_launch.hpp"

#include <perfspec/quantity/quantity.hpp>

#include <support/temporary_folder.hpp>
#include <support/test.hpp>

#include <sys/stat.h>
#include <unistd.h>

namespace perfspec {
namespace {

using namespace testing;

/// A launch on this hardware.
child_end on_hardware(const std::string& key) {
    record r = from_json_line(parse_answer(launch_of(64.0 * 1048576.0)).payload.value());
    r.hardware_key = key;
    return answered(to_json_line(r));
}

/// A program whose fresh processes another one starts.
struct started_elsewhere : scripted_run {
    explicit started_elsewhere(const std::string& words, const std::string& hardware = "")
        : scripted_run([this, hardware](const child_command&) {
              return on_hardware(hardware.empty() ? context().hardware_key() : hardware);
          }) {
        variables["PERFSPEC_LAUNCHER"] = words;
        variables["PATH"] = "/usr/bin:/bin";
    }
    record judge() { return evaluate(peak_memory(takes("fill", std::chrono::milliseconds(1))) < 80_MiB); }
};

}  // namespace

TEST_CASE(
    "the launcher's words come before the request and the program, and standard input and output are the channels",
    "[run][unit]") {
    started_elsewhere program("env  -i   nice");
    CHECK(program.judge().verdict == verdict::holds);
    const child_command& command = program.launcher.commands().front();
    CHECK((command.executable == "/usr/bin/env" || command.executable == "/bin/env"));
    REQUIRE(command.arguments.size() >= 5);
    CHECK(command.arguments[0] == "-i");
    CHECK(command.arguments[1] == "nice");
    CHECK(command.arguments[2] == "env");
    CHECK(std::ranges::any_of(command.arguments,
                              [](const std::string& word) { return word.starts_with("PERFSPEC_CHILD=version="); }));
    CHECK(std::ranges::none_of(command.arguments, [](const std::string& word) { return word.starts_with("HOME="); }));
    CHECK(std::ranges::find(command.arguments, "/build/sort_test") != command.arguments.end());
    CHECK(command.channels == child_channels::standard);
    const child_request asked = program.asked_of_child(0);
    CHECK(asked.result_descriptor == STDOUT_FILENO);
    CHECK_THAT(asked.plan, !ContainsSubstring("launcher=env"));  // it starts no processes itself
    CHECK(program.given_to_child(0, "PERFSPEC_LAUNCHER").empty());
}

TEST_CASE("without a launcher, processes have channels of their own", "[run][unit]") {
    started_elsewhere program("");
    CHECK(program.judge().verdict == verdict::holds);
    CHECK(program.launcher.commands().front().channels == child_channels::own);
    CHECK(program.launcher.commands().front().executable == "/build/sort_test");
}

TEST_CASE("ssh gets one command for a shell, with the folder and the request", "[run][unit]") {
    const temporary_folder folder;
    const std::string ssh = folder / "ssh";
    std::ofstream(ssh) << "#!/bin/sh\n";
    REQUIRE(::chmod(ssh.c_str(), 0700) == 0);
    started_elsewhere program(ssh + " board");
    CHECK(program.judge().verdict == verdict::holds);
    const child_command& command = program.launcher.commands().front();
    CHECK(command.executable == ssh);
    REQUIRE(command.arguments.size() == 2);
    CHECK(command.arguments[0] == "board");
    CHECK_THAT(command.arguments[1], StartsWith("cd '/project' && exec 'env' 'PERFSPEC_CHILD=version=") &&
                                         ContainsSubstring(" '/build/sort_test'"));
    CHECK_THAT(command.arguments[1], !ContainsSubstring("HOME="));  // the other machine has its own
}

TEST_CASE("a launcher that is missing makes the claim invalid, and says what to write", "[run][unit]") {
    started_elsewhere program("no-such-launcher -N1");
    const record r = program.judge();
    CHECK(r.verdict == verdict::invalid);
    CHECK_THAT(r.reason, ContainsSubstring("there is no program \"no-such-launcher\"") &&
                             ContainsSubstring("PERFSPEC_LAUNCHER='taskset -c 3'"));
}

TEST_CASE("a process on other hardware is no evidence", "[run][unit]") {
    started_elsewhere program("env", "arm-cortex-a72-4c");
    const record r = program.judge();
    CHECK(r.verdict == verdict::invalid);
    CHECK_THAT(r.reason, ContainsSubstring("started a process on other hardware (arm-cortex-a72-4c)"));
}

}  // namespace perfspec
