// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A child for the tests of `process`, with a behavior named by its first argument. It has the bodies of this stage
// alone: those of `run` make a program a child before its main, and these tests check when that happens.

#include <perfspec/measure/failure-inl.hpp>
#include <perfspec/measure/machine/disturbance-inl.hpp>
#include <perfspec/plan/environment-inl.hpp>
#include <perfspec/process/child-inl.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/process/posix_launcher-inl.hpp>
#include <perfspec/process/workers/worker-inl.hpp>
#include <perfspec/quantity/format-inl.hpp>
#include <perfspec/quantity/json_fields-inl.hpp>
#include <perfspec/quantity/json_tree-inl.hpp>
#include <perfspec/quantity/text-inl.hpp>
#include <perfspec/quantity/text.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace {

using namespace perfspec;

struct call {
    std::vector<std::string> arguments;
    child_request request;
};

/// A text as an answer.
std::string says(std::string_view text) { return "{\"says\":" + detail::json(text) + '}'; }

[[noreturn]] void sleep_for_ever() {
    for (;;) ::pause();
}

void write_bytes(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const auto written = ::write(descriptor, bytes.data(), bytes.size());
        if (written <= 0) ::_exit(99);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

/// Opens the named pipe, writes one byte, and keeps it open. Its reader sees the end when this process and its copies
/// have ended.
int hold(const std::string& fifo) {
    const int descriptor = ::open(fifo.c_str(), O_WRONLY);
    write_bytes(descriptor, "h");
    return descriptor;
}

std::string open_descriptors() {
    std::vector<int> numbers;
    DIR* const all = ::opendir("/dev/fd");
    while (const dirent* const entry = ::readdir(all))
        if (entry->d_name[0] != '.' && std::atoi(entry->d_name) != ::dirfd(all))
            numbers.push_back(std::atoi(entry->d_name));
    ::closedir(all);
    std::sort(numbers.begin(), numbers.end());
    std::string text;
    for (const int number : numbers) text += std::to_string(number) + ' ';
    return text;
}

std::string signals() {
    std::string text;
    sigset_t blocked;
    ::sigprocmask(SIG_BLOCK, nullptr, &blocked);
    if (::sigismember(&blocked, SIGUSR1) == 1) text += "blocks SIGUSR1 ";
    for (const int number : {SIGPIPE, SIGCHLD}) {
        struct sigaction action {};
        ::sigaction(number, nullptr, &action);
        if (action.sa_handler == SIG_IGN) text += "ignores " + std::to_string(number) + ' ';
    }
    return text + (::getpgrp() == ::getpid() ? "own group" : "foreign group");
}

std::string variables(const environment& all) {
    std::string text;
    for (const auto& name : all.names())
        if (name != "PERFSPEC_PARENT") text += name + '=' + *all.get(name) + '\n';
    return text;
}

std::string own_variables() {
    std::string text;
    for (char** entry = ::environ; *entry != nullptr; ++entry) text += std::string(*entry) + '\n';
    return text;
}

std::string described(const call& c) {
    const auto& r = c.request;
    return r.address.key + '|' + std::to_string(r.address.occurrence) + '|' +
           (r.task == child_task::measure ? "measure"
            : r.task == child_task::serve ? "serve"
                                          : "confirm") +
           '|' + std::to_string(r.seed) + '|' + r.plan.set.at(0).second;
}

/// The path of this program as it is known to another process of it.
std::string answer_of_another(const call& c) {
    child_request request = c.request;
    request.result_descriptor = child_result_descriptor;  // this process moved its own
    const child_command command{.executable = at_program_start().executable,
                                .arguments = {"tell", "executable"},
                                .environment = child_environment({}, request),
                                .time_out = std::chrono::minutes(1)};
    const child_answer answer = parse_answer(posix_launcher().run(command, {}));
    return answer.payload ? detail::required(detail::read_message(*answer.payload), "says").text : answer.fault;
}

/// The same after another program took the place of this one's file.
std::string answer_after_replacement(const call& c) {
    const std::string own = at_program_start().executable;
    std::filesystem::remove(own);
    std::filesystem::copy_file("/bin/false", own);
    return answer_of_another(c);
}

using answering = std::string (*)(const call&);

/// The answers of a child about itself, by the name of the question.
const std::map<std::string, answering> answers{
    {"request", described},
    {"arguments",
     [](const call& c) {
         return std::accumulate(c.arguments.begin(), c.arguments.end(), std::string(),
                                [](const auto& text, const auto& argument) { return text + '[' + argument + ']'; });
     }},
    {"input", [](const call&) { return std::string(std::getchar() == EOF ? "empty" : "not empty"); }},
    {"descriptors", [](const call&) { return open_descriptors(); }},
    {"signals", [](const call&) { return signals(); }},
    {"result pipe",
     [](const call& c) {
         return std::string(::fcntl(c.request.result_descriptor, F_GETFD) == FD_CLOEXEC ? "kept" : "handed on");
     }},
    {"directory", [](const call&) { return std::filesystem::current_path().string(); }},
    {"start directory", [](const call&) { return at_program_start().working_directory; }},
    {"executable", [](const call&) { return at_program_start().executable; }},
    {"executable of another", answer_of_another},
    {"executable after replacement", answer_after_replacement},
    {"variables", [](const call&) { return variables(program_start_environment()); }},
    {"own variables", [](const call&) { return own_variables(); }},
    {"in_child", [](const call&) { return std::string(in_child() ? "in a child" : "not in a child"); }},
};

void flood_output() {
    const std::string line(999, 'x');
    for (int n = 0; n < 5000; ++n) {
        std::fprintf(stdout, "%s\n", line.c_str());
        std::fprintf(stderr, "%s\n", line.c_str());
    }
    std::fflush(stdout);
}

[[noreturn]] void crash() {
    std::fputs("about to crash\n", stderr);
    std::signal(SIGSEGV, SIG_DFL);  // a sanitizer's handler would exit
    std::raise(SIGSEGV);
    std::abort();
}

/// Leaves a process behind that holds everything open.
void leave_grandchild(const std::string& fifo) {
    int started[2];
    if (::pipe(started) != 0) ::_exit(98);
    if (::fork() == 0) {
        ::alarm(300);  // not inherited
        hold(fifo);
        write_bytes(started[1], "s");
        sleep_for_ever();
    }
    char byte;
    if (::read(started[0], &byte, 1) != 1) ::_exit(97);
}

/// Becomes a child only after its parent has ended.
[[noreturn]] void become_child_late(const call& c) {
    const int held = hold(c.arguments.at(0));
    const auto parent = std::stol(*program_start_environment().get("PERFSPEC_PARENT"));
    while (::getppid() == parent) ::usleep(1000);
    static_cast<void>(become_child(c.request, program_start_environment()));
    write_bytes(held, "survived");
    sleep_for_ever();
}

/// Answers each request with its text, and ends after its parent.
void echo(const call& c) {
    answer(c.request, says("hello"));
    request_reader requests(c.request);
    while (const auto line = requests.next()) answer(c.request, says(*line + "!"));
}

using behavior = void (*)(const call&);

/// The behaviors of a child.
const std::map<std::string, behavior> behaviors{
    {"tell", [](const call& c) { reply_and_exit(c.request, says(answers.at(c.arguments.at(0))(c))); }},
    {"crash", [](const call&) { crash(); }},
    {"hang", [](const call&) { sleep_for_ever(); }},
    {"stop itself", [](const call&) { std::raise(SIGSTOP); }},
    {"echo", echo},
    {"echo and hold",
     [](const call& c) {
         hold(c.arguments.at(0));
         echo(c);
     }},
    {"echo with grandchild",
     [](const call& c) {
         leave_grandchild(c.arguments.at(0));
         echo(c);
     }},
    {"hello and crash",
     [](const call& c) {
         answer(c.request, says("hello"));
         static_cast<void>(request_reader(c.request).next());
         crash();
     }},
    {"hello and hang",
     [](const call& c) {
         answer(c.request, says("hello"));
         sleep_for_ever();
     }},
    {"hello and garbage",
     [](const call& c) {
         answer(c.request, says("hello"));
         write_bytes(c.request.result_descriptor, "garbage\n");
         sleep_for_ever();
     }},
    {"hang with grandchild",
     [](const call& c) {
         leave_grandchild(c.arguments.at(0));
         sleep_for_ever();
     }},
    {"leave grandchild",
     [](const call& c) {
         leave_grandchild(c.arguments.at(0));
         reply_and_exit(c.request, says("left one"));
     }},
    {"flood output",
     [](const call& c) {
         flood_output();
         reply_and_exit(c.request, says("evidence after a flood"));
     }},
    {"flood output and crash",
     [](const call&) {
         flood_output();
         crash();
     }},
    {"large answer", [](const call& c) { reply_and_exit(c.request, says(std::string(std::size_t{10} << 20, 'e'))); }},
    {"flood result",
     [](const call& c) {
         write_bytes(c.request.result_descriptor, std::string(largest_child_result + (std::size_t{1} << 20), 'e'));
     }},
    {"close pipe", [](const call& c) { ::close(c.request.result_descriptor); }},
    {"answer on a closed pipe",
     [](const call& c) {
         ::close(c.request.result_descriptor);
         reply_and_exit(c.request, says("evidence"));
     }},
    {"exit", [](const call& c) { std::exit(std::stoi(c.arguments.at(0))); }},
};

}  // namespace

int main(int count, char** values) {
    const rlimit none{};
    ::setrlimit(RLIMIT_CORE, &none);  // some of these crash on purpose
    ::alarm(300);                     // no child stays for ever if the launcher is broken
    try {
        const auto request = read_child_request(program_start_environment());
        if (count < 2 || !request) throw input_error("child_program: runs as a child of the process tests");
        call c{{values + 2, values + count}, *request};
        if (std::string_view(values[1]) == "become a child late") become_child_late(c);
        c.request = become_child(c.request, program_start_environment());
        behaviors.at(values[1])(c);
    } catch (const input_error& refused) {
        std::fprintf(stderr, "%s\n", refused.what());
        return 3;
    }
}
