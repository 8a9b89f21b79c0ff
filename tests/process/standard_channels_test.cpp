// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Children that another program starts: it passes only the three standard descriptors on.
#include <perfspec/process/child.hpp>
#include <perfspec/process/launcher.hpp>

#include "process/run_child.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

using Catch::Matchers::ContainsSubstring;
using namespace perfspec;
using namespace perfspec::testing;

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
