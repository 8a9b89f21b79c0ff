// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Children that answer requests: posix_launcher::start.

#include <perfspec/measure/machine/disturbance.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/quantity/text.hpp>

#include "process/run_child.hpp"

#include <support/test.hpp>

#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace perfspec;
using namespace perfspec::testing;

namespace {

std::unique_ptr<running_process> started(const child_command& command) { return posix_launcher().start(command); }

/// The next answer of a process, or the fault.
std::string answer_of(running_process& process, std::chrono::nanoseconds at_most = patience) {
    return text_of(process.receive(at_most, {}));
}

}  // namespace

TEST_CASE("posix_launcher starts a child that answers one request after the other", "[process][unit]") {
    const auto process = started(worker_that("echo"));
    CHECK(answer_of(*process) == "hello");
    for (const std::string request : {"one", "", "three words here", "ünïcode 🦉"}) {
        process->send(request);
        CHECK(answer_of(*process) == request + "!");
    }
}

TEST_CASE("running_process stops with its group until the next request", "[process][unit]") {
    const auto process = started(worker_that("echo"));
    REQUIRE(answer_of(*process) == "hello");
    const auto next_change = [](int which) {
        siginfo_t news{};
        return ::waitid(P_ALL, 0, &news, which) == 0 ? news.si_code : 0;
    };
    for (const std::string request : {"one", "two"}) {
        process->pause();
        process->pause();  // stopped already
        CHECK(next_change(WSTOPPED) == CLD_STOPPED);
        process->send(request);
        CHECK(next_change(WCONTINUED) == CLD_CONTINUED);
        CHECK(answer_of(*process) == request + "!");
    }
}

TEST_CASE("running_process ends while it is stopped, and can be waited for", "[process][unit]") {
    vigil child;
    {
        const auto process = started(worker_that("echo and hold", {child.path()}));
        REQUIRE(child.next() == 'h');
        REQUIRE(answer_of(*process) == "hello");
        process->pause();
    }
    CHECK(child.next() == vigil::ended);
    const auto ended_process = started(worker_that("exit", {"7"}));
    ended_process->pause();
    CHECK(ended_process->wait(patience).code == 7);
    ended_process->pause();  // it has ended
    CHECK_THAT(answer_of(*ended_process), ContainsSubstring("exit code 7"));
}

TEST_CASE("posix_launcher gives a serving child its requests and no other descriptor", "[process][unit]") {
    const auto first = started(worker_that("echo"));  // another that runs is no business of the second's
    REQUIRE(answer_of(*first) == "hello");
    CHECK(answer_of(*started(worker_that("tell", {"descriptors"}))) == "0 1 2 100 101 ");
    CHECK(answer_of(*started(worker_that("tell", {"request"}))) == "suite / sort / latency(sort)|2|serve|42|a plan");
}

TEST_CASE("running_process is killed with all it started when it goes, exceptions included", "[process][unit]") {
    vigil child;
    const std::string behavior = GENERATE("echo and hold", "echo with grandchild");
    try {
        const auto process = started(worker_that(behavior, {child.path()}));
        REQUIRE(child.next() == 'h');
        REQUIRE(answer_of(*process) == "hello");
        throw std::runtime_error("while it runs");
    } catch (const std::runtime_error&) {}
    CHECK(child.next() == vigil::ended);
}

TEST_CASE("running_process leaves neither zombie nor descriptor", "[process][unit]") {
    const auto lowest_free_from = [](int number) {
        const int found = ::fcntl(0, F_DUPFD_CLOEXEC, number);
        ::close(found);
        return found;
    };
    const int low = lowest_free_from(0);
    const int high = lowest_free_from(10);
    {
        const auto alive = started(worker_that("echo"));
        const auto dead = started(worker_that("exit", {"1"}));
        const auto none = started({.executable = "/nowhere/program", .time_out = patience});
        CHECK(answer_of(*alive) == "hello");
        CHECK_THAT(answer_of(*dead), ContainsSubstring("exit code 1"));
        CHECK_THAT(answer_of(*none), ContainsSubstring("could not be started"));
    }
    CHECK(lowest_free_from(0) == low);
    CHECK(lowest_free_from(10) == high);
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
    CHECK(errno == ECHILD);
}

TEST_CASE("a serving child dies with its parent", "[process][unit]") {
    vigil child;
    const pid_t parent = ::fork();
    REQUIRE(parent >= 0);
    if (parent == 0) {
        const auto process = started(worker_that("hang with grandchild", {"/dev/null"}));
        const auto other = started(worker_that("echo and hold", {child.path()}));
        static_cast<void>(other->receive(patience, {}));
        for (;;) ::pause();
    }
    const char first = child.next();
    ::kill(parent, SIGKILL);
    ::waitpid(parent, nullptr, 0);
    CHECK(first == 'h');
    CHECK(child.next() == vigil::ended);
}

namespace {

/// A shell that writes to the vigil and then blocks, with another process in its group. It reads no requests.
child_command blocks(const vigil& child) {
    return {.executable = "/bin/sh",
            .arguments = {"-c", "exec 5>\"$0\"; printf h >&5; sleep 100; sleep 100", child.path()},
            .environment = {{"PATH", "/usr/bin:/bin"}},
            .time_out = patience,
            .dies_with_parent = true};
}

}  // namespace

TEST_CASE("a child that blocks is killed with its group when its parent is", "[process][unit]") {
    vigil child;
    std::array<int, 2> has_started{};
    REQUIRE(::pipe(has_started.data()) == 0);
    const pid_t parent = ::fork();
    REQUIRE(parent >= 0);
    if (parent == 0) {
        const auto process = started(blocks(child));
        static_cast<void>(::write(has_started[1], "s", 1));
        for (;;) ::pause();
    }
    const char first = child.next();
    char byte{};
    CHECK(::read(has_started[0], &byte, 1) == 1);
    for (const int each : has_started) ::close(each);
    ::kill(parent, SIGKILL);
    ::waitpid(parent, nullptr, 0);
    CHECK(first == 'h');
    CHECK(child.next() == vigil::ended);
}

TEST_CASE("what guards a child leaves neither zombie nor descriptor, and ends with the child", "[process][unit]") {
    const auto lowest_free = [] {
        const int found = ::fcntl(0, F_DUPFD_CLOEXEC, 10);
        ::close(found);
        return found;
    };
    const int before = lowest_free();
    vigil child;
    {
        const auto process = started(blocks(child));
        REQUIRE(child.next() == 'h');
    }
    CHECK(child.next() == vigil::ended);
    auto ended = worker_that("exit", {"7"});
    ended.dies_with_parent = true;
    CHECK(started(ended)->wait(patience).code == 7);
    CHECK(lowest_free() == before);
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
    CHECK(errno == ECHILD);
}

TEST_CASE("running_process says how a child ended instead of answering", "[process][unit]") {
    const auto exited = started(worker_that("exit", {"42"}));
    CHECK(answer_of(*exited) == "there is no answer: the child ended with exit code 42; it printed nothing");
    CHECK(exited->wait(patience).code == 42);

    const auto crashed = started(worker_that("hello and crash"));
    CHECK(answer_of(*crashed) == "hello");
    crashed->send("run");
    CHECK(
        answer_of(*crashed) ==
        "there is no answer: the child was ended by signal 11 (Segmentation fault); its last words: \"about to crash\"");
    crashed->send("run again");  // without a reader: no signal to this program
    CHECK_THAT(answer_of(*crashed), StartsWith("there is no answer: the child was ended by signal 11"));
    CHECK(crashed->wait(patience).how == child_outcome::signalled);
}

TEST_CASE("running_process stops a child that does not answer in time", "[process][unit]") {
    const auto process = started(worker_that("hello and hang"));
    CHECK(answer_of(*process) == "hello");
    process->send("run");
    CHECK_THAT(answer_of(*process, 200ms),
               StartsWith("there is no answer: the child took too long and was stopped after ") &&
                   EndsWith("it printed nothing"));
    CHECK(process->wait(patience).how == child_outcome::timed_out);
}

TEST_CASE("running_process says at once that a child does not take a request", "[process][unit]") {
    const auto process = started(worker_that("hello and hang"));
    CHECK(answer_of(*process) == "hello");
    process->send(std::string(100U << 20U, 'x'));
    CHECK_THAT(answer_of(*process), StartsWith("the child did not read ") && EndsWith(" bytes of a request"));
    process->send("more");
    CHECK_THAT(answer_of(*process), StartsWith("there is no answer: the child was ended by signal 9"));
    CHECK(process->wait(patience).how == child_outcome::signalled);
}

TEST_CASE("running_process stops a child that says garbage", "[process][unit]") {
    const auto process = started(worker_that("hello and garbage"));
    CHECK(answer_of(*process) == "hello");
    CHECK(
        answer_of(*process) ==
        "the child's result pipe holds \"garbage\" instead of an answer: code under test writes to a descriptor that it "
        "did not open");
    CHECK(process->wait(patience).how == child_outcome::signalled);
}

TEST_CASE("running_process reports no waiting time of a child that has ended", "[process][unit]") {
    const auto process = started(worker_that("tell", {"input"}));
    CHECK(process->waited_for_processor() >= 0ns);
    static_cast<void>(process->wait(patience));
    CHECK(process->waited_for_processor() == 0ns);
}

TEST_CASE("running_process has a meter of the child until its end", "[process][unit]") {
    const auto process = started(worker_that("tell", {"input"}));
    REQUIRE(process->usage() != nullptr);
    CHECK(process->usage()->now().threads == 1);
    static_cast<void>(process->wait(patience));
    CHECK(process->usage() == nullptr);
}

TEST_CASE("running_process waits for the end of a child after its last request", "[process][unit]") {
    const auto process = started(worker_that("tell", {"input"}));
    CHECK(answer_of(*process) == "empty");
    const child_end end = process->wait(patience);
    CHECK(end.how == child_outcome::exited);
    CHECK(end.code == 0);
    CHECK(process->wait(patience).code == 0);
}
