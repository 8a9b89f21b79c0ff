// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/process/launcher.hpp>
#include <perfspec/quantity/text.hpp>

#include "process/run_child.hpp"

#include <support/test.hpp>

#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace perfspec;
using namespace perfspec::testing;

namespace {

/// Whether this is the large answer of `child_program`.
bool is_large_answer(const std::string& answer) {
    return answer.size() == std::size_t{10} << 20 && answer.find_first_not_of('e') == std::string::npos;
}

}  // namespace

TEST_CASE("posix_launcher hands the request over and the answer back", "[process][unit]") {
    CHECK(answer_to("request") == "suite / sort / latency(sort)|2|measure|42|a plan");
}

TEST_CASE("posix_launcher gives exactly the arguments", "[process][unit]") {
    CHECK(
        answer_to(child_that("tell", {"arguments", "", "two words", "--flag=\"q\"", "ünïcode 🦉", "line\nend"})) ==
        "[arguments][][two words][--flag=\"q\"][ünïcode 🦉][line\nend]");
}

TEST_CASE("posix_launcher gives exactly the variables", "[process][unit]") {
    auto command = child_that("tell", {"variables"});
    command.environment.emplace_back("ZETA", "");
    command.environment.emplace_back("ALPHA", "a=b\nc 🦉");
    const std::string request = child_environment({}, a_request()).back().second;
    CHECK(answer_to(command) == "ALPHA=a=b\nc 🦉\nPERFSPEC_CHILD=" + request + "\nZETA=\n");
}

TEST_CASE("posix_launcher gives an empty standard input", "[process][unit]") { CHECK(answer_to("input") == "empty"); }

TEST_CASE("posix_launcher starts the child in the working directory", "[process][unit]") {
    auto command = child_that("tell", {"directory"});
    CHECK(answer_to(command) == std::filesystem::current_path().string());
    command.working_directory = "/";
    CHECK(answer_to(command) == "/");
}

TEST_CASE("posix_launcher lets no other descriptor through", "[process][unit]") {
    const int careless = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC, as in a careless program
    const int high = ::dup2(careless, 777);
    CHECK(answer_to("descriptors") == "0 1 2 100 ");
    ::close(careless);
    ::close(high);
}

TEST_CASE("posix_launcher works in a program that closed its standard streams", "[process][unit]") {
    const int kept_input = ::fcntl(0, F_DUPFD_CLOEXEC, 20);
    const int kept_output = ::fcntl(1, F_DUPFD_CLOEXEC, 20);
    ::close(0);
    ::close(1);
    const auto answer = answer_to("descriptors");
    ::dup2(kept_input, 0);
    ::dup2(kept_output, 1);
    ::close(kept_input);
    ::close(kept_output);
    CHECK(answer == "0 1 2 100 ");
}

TEST_CASE("posix_launcher gives the child ordinary signals and its own group", "[process][unit]") {
    sigset_t one;
    sigset_t before;
    ::sigemptyset(&one);
    ::sigaddset(&one, SIGUSR1);
    ::sigprocmask(SIG_BLOCK, &one, &before);
    const auto handler = std::signal(SIGPIPE, SIG_IGN);
    const auto answer = answer_to("signals");
    std::signal(SIGPIPE, handler);
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    CHECK(answer == "own group");
}

TEST_CASE("posix_launcher reports an exit code", "[process][unit]") {
    const auto end = end_of(child_that("exit", {"42"}));
    CHECK(end.how == child_outcome::exited);
    CHECK(end.code == 42);
    CHECK(end.result.empty());
    CHECK(describe(end) == "the child ended with exit code 42; it printed nothing");
}

TEST_CASE("posix_launcher reports a signal and the last words", "[process][unit]") {
    const auto end = end_of(child_that("crash"));
    CHECK(end.how == child_outcome::signalled);
    CHECK(end.code == SIGSEGV);
    CHECK(describe(end) == "the child was ended by signal 11 (Segmentation fault); its last words: \"about to crash\"");
}

TEST_CASE("posix_launcher stops a child at its time-out", "[process][unit]") {
    auto command = child_that(GENERATE(as<std::string>(), "hang", "stop itself"));
    command.time_out = 200ms;
    const auto end = end_of(command);
    CHECK(end.how == child_outcome::timed_out);
    CHECK(end.code == 0);
    CHECK_THAT(describe(end),
               StartsWith("the child took too long and was stopped after 0.") && EndsWith(" s; it printed nothing"));
}

TEST_CASE("posix_launcher reports each second how long a child has run", "[process][unit]") {
    auto command = child_that("hang");
    command.time_out = 1500ms;
    std::vector<std::chrono::nanoseconds> reports;
    CHECK(posix_launcher().run(command, [&](std::chrono::nanoseconds so_far) { reports.push_back(so_far); }).how ==
          child_outcome::timed_out);
    CHECK(reports == std::vector<std::chrono::nanoseconds>{1s});
}

TEST_CASE("posix_launcher stops the whole group at the time-out", "[process][unit]") {
    vigil grandchild;
    auto command = child_that("hang with grandchild", {grandchild.path()});
    command.time_out = 2s;  // enough to get there
    CHECK(end_of(command).how == child_outcome::timed_out);
    CHECK(grandchild.next() == 'h');
    CHECK(grandchild.next() == vigil::ended);
}

TEST_CASE("posix_launcher neither waits for what a child leaves behind nor leaves it running", "[process][unit]") {
    vigil grandchild;
    CHECK(answer_to(child_that("leave grandchild", {grandchild.path()})) == "left one");
    CHECK(grandchild.next() == 'h');
    CHECK(grandchild.next() == vigil::ended);
}

TEST_CASE("posix_launcher keeps the end of a flood of output", "[process][unit]") {
    const auto end = end_of(child_that("flood output and crash"));
    CHECK(end.how == child_outcome::signalled);
    CHECK(end.last_words.size() == max_last_words);
    CHECK_THAT(end.last_words, EndsWith("x\nabout to crash\n"));
    CHECK(answer_to(child_that("flood output")) == "evidence after a flood");
}

TEST_CASE("posix_launcher drains a large answer", "[process][unit]") {
    CHECK(is_large_answer(answer_to(child_that("large answer"))));
}

TEST_CASE("posix_launcher bounds a flood of result", "[process][unit]") {
    const auto end = end_of(child_that("flood result"));
    CHECK(end.how == child_outcome::exited);
    CHECK(end.result.size() == largest_child_result + 1);
    CHECK_THAT(parse_answer(end).fault, StartsWith("the child's result pipe holds \"eee"));
}

TEST_CASE("posix_launcher waits for a child that closed its pipe", "[process][unit]") {
    CHECK(answer_to(child_that("close pipe")) ==
          "there is no answer: the child ended with exit code 0; it printed nothing");
    CHECK(
        answer_to(child_that("answer on a closed pipe")) ==
        "there is no answer: the child ended with exit code 1; its last words: \"perfspec: the result could not be handed over on "
        "descriptor 100: Bad file descriptor: code under test closed it; let it close only what it opened\"");
}

TEST_CASE("posix_launcher says what could not be started", "[process][unit]") {
    auto command = child_that("tell");
    SECTION("no such program") {
        command.executable = "/nowhere/program";
        const auto end = end_of(command);
        CHECK(end.how == child_outcome::not_started);
        CHECK(end.code == ENOENT);
        CHECK(describe(end) == "the child could not be started: \"/nowhere/program\": No such file or directory");
        CHECK(parse_answer(end).fault ==
              "there is no answer: the child could not be started: \"/nowhere/program\": No such file or directory");
    }
    SECTION("no such directory") {
        command.working_directory = "/nowhere";
        CHECK_THAT(describe(end_of(command)), EndsWith(" in \"/nowhere\": No such file or directory"));
    }
    SECTION("no program") {
        command.executable = PERFSPEC_TEST_SOURCE_DIR "/CMakeLists.txt";
        CHECK_THAT(describe(end_of(command)), EndsWith("/CMakeLists.txt\": Permission denied"));
    }
    SECTION("too much") {
        command.environment.emplace_back("HUGE", std::string(std::size_t{8} << 20, 'h'));
        CHECK_THAT(describe(end_of(command)), EndsWith(": Argument list too long"));
    }
}

TEST_CASE("posix_launcher refuses an invalid name of a variable", "[process][unit]") {
    auto command = child_that("tell");
    command.environment.emplace_back(GENERATE(as<std::string>(), "", "A=B"), "value");
    CHECK_THROWS_MATCHES(posix_launcher().run(command, {}), input_error,
                         Message("child command: found a variable called \"" + command.environment.back().first +
                                 "\", expected a name without \"=\" such as \"PATH\"; correct it"));
}

TEST_CASE("posix_launcher is not disturbed by signals to its program", "[process][unit]") {
    struct sigaction tick {};
    tick.sa_handler = [](int) {};  // without SA_RESTART: every call returns early
    struct sigaction before {};
    ::sigaction(SIGALRM, &tick, &before);
    itimerval often{{0, 200}, {0, 200}};
    ::setitimer(ITIMER_REAL, &often, nullptr);
    const auto answer = answer_to(child_that("large answer"));
    const itimerval never{};
    ::setitimer(ITIMER_REAL, &never, nullptr);
    ::sigaction(SIGALRM, &before, nullptr);
    CHECK(is_large_answer(answer));
}

TEST_CASE("posix_launcher takes an answer where the program ignores SIGCHLD", "[process][unit]") {
    const auto handler = std::signal(SIGCHLD, SIG_IGN);
    const auto answered = end_of(child_that("tell", {"signals"}));
    const auto silent = end_of(child_that("exit", {"42"}));
    std::signal(SIGCHLD, handler);
    CHECK(answered.how == child_outcome::uncollected);
    CHECK(text_of(parse_answer(answered)) == "own group");
    CHECK(
        parse_answer(silent).fault ==
        "there is no answer: the child ended, and its exit code was collected by other code of this program (is SIGCHLD ignored?); it "
        "printed nothing");
}
