// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "process/run_child.hpp"

#include <perfspec/process/child.hpp>
#include <perfspec/process/in_child.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/process/program_start.hpp>
#include <perfspec/process/under_debugger.hpp>

#include <support/test.hpp>

#include <unistd.h>

using namespace perfspec;
using namespace perfspec::testing;

TEST_CASE("process_environment reads and lists the variables as they are now", "[plan][unit]") {
    const process_environment now;
    ::setenv("PERFSPEC_TEST_EMPTY", "", 1);
    ::setenv("PERFSPEC_TEST_FULL", "a=b", 1);
    CHECK(now.get("PERFSPEC_TEST_EMPTY") == "");
    CHECK(now.get("PERFSPEC_TEST_FULL") == "a=b");
    const auto names = now.names();
    CHECK(std::is_sorted(names.begin(), names.end()));
    CHECK(std::count(names.begin(), names.end(), "PERFSPEC_TEST_FULL") == 1);
    ::unsetenv("PERFSPEC_TEST_EMPTY");
    ::unsetenv("PERFSPEC_TEST_FULL");
    CHECK(now.get("PERFSPEC_TEST_FULL") == std::nullopt);
}

TEST_CASE("at_program_start keeps what the program changes", "[process][unit]") {
    const program_start_environment start;
    const auto directory = std::filesystem::current_path();
    ::setenv("PERFSPEC_TEST_LATER", "1", 1);
    std::filesystem::current_path("/");
    CHECK(at_program_start().working_directory == directory.string());
    CHECK(start.get("PERFSPEC_TEST_LATER") == std::nullopt);
    CHECK(start.get("PATH") == process_environment().get("PATH"));
    std::filesystem::current_path(directory);
    ::unsetenv("PERFSPEC_TEST_LATER");
}

TEST_CASE("at_program_start knows the program's own path", "[process][unit]") {
    CHECK(told("executable") == std::filesystem::canonical(PERFSPEC_CHILD_PROGRAM).string());
}

TEST_CASE("at_program_start knows the working directory", "[process][unit]") {
    auto command = child_that("tell", {"start directory"});
    command.working_directory =
        std::string("/");  // g++ 12 takes an assigned literal for overlapping memory (-Wrestrict)
    CHECK(told(command) == "/");
}

TEST_CASE("in_child tells a child from the program that the user started", "[process][unit]") {
    CHECK_FALSE(in_child());
    CHECK(told("in_child") == "in a child");
}

TEST_CASE("under_debugger reads who traces the process", "[process][unit]") {
    const auto [status, traced] = GENERATE(table<std::string, bool>({
        {"Name:\tsort_test\nPid:\t12\nTracerPid:\t0\nUid:\t0\n", false},
        {"Name:\tsort_test\nPid:\t12\nTracerPid:\t4711\nUid:\t0\n", true},
        {"TracerPid:\t1", true},
        {"Name:\tTracerPid:\t7\nTracerPid:\t0\n", false},
        {"Name:\tx\n", false},
        {"TracerPid:", false},
        {"", false},
    }));
    CHECK(detail::names_tracer(status) == traced);
}

namespace {

/// The command of a child by way of a shell that closes every descriptor above the standard ones, as a program on
/// another machine would.
child_command by_shell(child_command command, child_request request) {
    request.result_descriptor = STDOUT_FILENO;
    request.request_descriptor = STDIN_FILENO;
    command.environment = child_environment({}, request);
    command.arguments.insert(command.arguments.begin(), {"-c", "exec \"$0\" \"$@\" 3>&- 4>&-", command.executable});
    command.executable = "/bin/sh";
    command.channels = child_channels::standard;
    return command;
}

}  // namespace

TEST_CASE("a child answers by standard output, and what it prints does not disturb its answer", "[process][unit]") {
    CHECK(told(by_shell(child_that("flood output"), a_request())) == "evidence after a flood");
    const child_end end = posix_launcher().run(by_shell(child_that("flood output and crash"), a_request()));
    CHECK(end.how != child_outcome::not_started);
    CHECK_FALSE(end.last_words.empty());
    CHECK(end.result.empty());
}

TEST_CASE("a child takes requests by standard input", "[process][unit]") {
    child_request request = a_request();
    request.task = child_task::serve;
    const auto process = posix_launcher().start(by_shell(worker_that("echo"), request));
    CHECK(process->receive(patience).payload == "hello");
    process->send("once more");
    CHECK(process->receive(patience).payload == "once more!");
}

TEST_CASE("a child of another program does not look for its parent", "[process][unit]") {
    child_command command = by_shell(child_that("tell", {"own variables"}), a_request());
    command.arguments[1] = "\"$0\" \"$@\"; exit $?";  // the shell stays its parent
    CHECK_THAT(told(command), !ContainsSubstring("PERFSPEC_PARENT"));
}
