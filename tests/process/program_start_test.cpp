// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "process/run_child.hpp"

#include "support/scripted_environment.hpp"
#include "support/temporary_folder.hpp"

#include <perfspec/measure/machine/disturbance.hpp>
#include <perfspec/plan/environment.hpp>
#include <perfspec/process/child.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/program/program.hpp>
#include <perfspec/quantity/text.hpp>

#include <support/test.hpp>

#include <csignal>

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace perfspec;
using namespace perfspec::testing;

TEST_CASE("at_program_start keeps what the program changes", "[process][unit]") {
    const program_start_environment start;
    const auto directory = std::filesystem::current_path();
    ::setenv("PERFSPEC_TEST_LATER", "1", 1);
    std::filesystem::current_path("/");
    CHECK(at_program_start().working_directory == directory.string());
    CHECK(start.get("PERFSPEC_TEST_LATER") == std::nullopt);
    CHECK(start.get("PATH") == std::string(std::getenv("PATH")));
    std::filesystem::current_path(directory);
    ::unsetenv("PERFSPEC_TEST_LATER");
}

TEST_CASE("at_program_start knows the program's own path", "[process][unit]") {
    CHECK(answer_to("executable") == std::filesystem::canonical(PERFSPEC_CHILD_PROGRAM).string());
}

TEST_CASE("a program starts the file that runs, also if another one took its place", "[process][unit]") {
    const temporary_folder folder;
    auto command = child_that("tell", {"executable after replacement"});
    command.executable = std::filesystem::canonical(folder.path()).string() + "/program";
    std::filesystem::copy_file(PERFSPEC_CHILD_PROGRAM, command.executable);
    CHECK(answer_to(command) == command.executable);
}

TEST_CASE("a program that was started through its loader starts itself by it", "[process][unit]") {
    const std::string loader = "/lib64/ld-linux-x86-64.so.2";
    if (!std::filesystem::exists(loader)) SKIP("this system has no loader of this name");
    auto command = child_that(PERFSPEC_CHILD_PROGRAM, {"tell", GENERATE("executable", "executable of another")});
    command.executable = loader;
    CHECK(answer_to(command) == std::filesystem::canonical(PERFSPEC_CHILD_PROGRAM).string());
}

TEST_CASE("at_program_start knows the working directory", "[process][unit]") {
    auto command = child_that("tell", {"start directory"});
    command.working_directory =
        std::string("/");  // g++ 12 takes an assigned literal for overlapping memory (-Wrestrict)
    CHECK(answer_to(command) == "/");
}

TEST_CASE("in_child distinguishes a child from the program that the user started", "[process][unit]") {
    CHECK_FALSE(in_child());
    CHECK(answer_to("in_child") == "in a child");
}

TEST_CASE("under_debugger sees a tracer", "[process][unit]") {
    CHECK_FALSE(under_debugger());
    const pid_t traced = ::fork();
    REQUIRE(traced >= 0);
    if (traced == 0) ::_exit(::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0 ? 2 : under_debugger() ? 1 : 0);
    int status{};
    ::waitpid(traced, &status, 0);
    if (WEXITSTATUS(status) == 2) SKIP("this system allows no ptrace");
    CHECK(WEXITSTATUS(status) == 1);
}

namespace {

/// Runs the command from a separate process, which is killed after the vigil saw the child.
void kill_parent_of(const child_command& command, vigil& child) {
    const pid_t parent = ::fork();
    REQUIRE(parent >= 0);
    if (parent == 0) {
        static_cast<void>(end_of(command));
        ::_exit(0);
    }
    const char first = child.next();
    ::kill(parent, SIGKILL);
    ::waitpid(parent, nullptr, 0);
    REQUIRE(first == 'h');
}

}  // namespace

TEST_CASE("become_child ends a child whose parent died before", "[process][unit]") {
    vigil child;
    kill_parent_of(child_that("become a child late", {child.path()}), child);
    CHECK(child.next() == vigil::ended);
}

TEST_CASE("become_child withdraws the request from the process's variables, not from those at its start",
          "[process][unit]") {
    auto command = child_that("tell", {"own variables"});
    command.environment.emplace_back("KEPT", "1");
    CHECK(answer_to(command) == "KEPT=1\n");
}

TEST_CASE("become_child refuses a descriptor that is not open", "[process][unit]") {
    child_request request;
    request.result_descriptor = 999;
    CHECK_THROWS_RECORDED(input_error, static_cast<void>(become_child(request, scripted_environment{})));
}

TEST_CASE("become_child keeps the result pipe from programs that the child starts", "[process][unit]") {
    CHECK(answer_to("result pipe") == "kept");
}

TEST_CASE("a child of another version says both versions", "[process][unit]") {
    auto command = child_that("tell", {"request"});
    for (auto& [name, value] : command.environment)
        if (name == "PERFSPEC_CHILD") value = "{\"version\":9,\"everything\":\"new\"}";
    CHECK_RECORDED(answer_to(command));
}
