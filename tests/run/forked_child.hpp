// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "scripted_run.hpp"

#include <perfspec/plan/plan.hpp>
#include <perfspec/process/child.hpp>
#include <perfspec/report/json_lines.hpp>

#include <sys/wait.h>
#include <unistd.h>

namespace perfspec::testing {

inline constexpr int skipped = 9;

struct child_script {
    std::string key;
    unsigned occurrence = 0;
    child_task task = child_task::confirm;
    perfspec::plan plan{};
    std::vector<claim_address> abandoned_claims{};
    compared_side side = compared_side::first;
    std::optional<tolerance_end> end{};
};

struct ended {
    int code{};
    std::optional<record> answer{};
};

struct forked_end {
    int code{};
    std::string answers{};  ///< with their line ends
};

/// Runs assertions in a forked process with this request, and with all lines of requests at once. Its exit code is
/// `skipped` if no assertion answered.
inline forked_end in_fork(child_request request, const std::string& requests,
                          const std::function<void(scripted_run&)>& assertions) {
    std::array<int, 2> answers{};
    std::array<int, 2> questions{};
    REQUIRE((::pipe(answers.data()) == 0 && ::pipe(questions.data()) == 0));
    REQUIRE(::write(questions[1], requests.data(), requests.size()) == static_cast<ssize_t>(requests.size()));
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(questions[1]);
        scripted_run program;
        request.result_descriptor = answers[1];
        if (request.task == child_task::serve) request.request_descriptor = questions[0];
        for (const auto& [name, value] : child_environment({}, request)) program.variables[name] = value;
        assertions(program);
        ::_exit(skipped);
    }
    for (const int end : {answers[1], questions[0], questions[1]}) ::close(end);
    forked_end found;
    std::array<char, 4096> part{};
    for (ssize_t n = 0; (n = ::read(answers[0], part.data(), part.size())) > 0;)
        found.answers.append(part.data(), static_cast<std::size_t>(n));
    ::close(answers[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    found.code = WEXITSTATUS(status);
    return found;
}

/// Runs the assertions in a forked process that was started for one claim.
inline ended in_child(const child_script& script, const std::function<void(scripted_run&)>& assertions) {
    const forked_end found = in_fork({.address = {script.key, script.occurrence},
                                      .task = script.task,
                                      .seed = 99,
                                      .plan = message_of(script.plan),
                                      .side = script.side,
                                      .end = script.end,
                                      .abandoned_claims = script.abandoned_claims},
                                     {}, assertions);
    ended e{.code = found.code};
    const child_end end{
        .how = child_outcome::exited, .code = 0, .result = found.answers, .last_words = {}, .seconds = 0};
    if (const auto payload = parse_answer(end).payload) e.answer = from_json_line(*payload);
    return e;
}

}  // namespace perfspec::testing
