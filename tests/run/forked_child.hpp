// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "scripted_run.hpp"

#include <perfspec/plan/plan.hpp>
#include <perfspec/process/child_request.hpp>
#include <perfspec/report/json_lines.hpp>

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

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

/// Runs the assertions in a forked process that was asked for one claim. Its exit code is 9 when no assertion answered.
inline ended in_child(const child_script& script, const std::function<void(scripted_run&)>& assertions) {
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        scripted_run program;
        const child_request request{.address = {script.key, script.occurrence},
                                    .task = script.task,
                                    .seed = 99,
                                    .plan = to_text(script.plan),
                                    .result_descriptor = ends[1],
                                    .side = script.side,
                                    .end = script.end,
                                    .abandoned_claims = script.abandoned_claims};
        for (const auto& [name, value] : child_environment({}, request)) program.variables[name] = value;
        assertions(program);
        ::_exit(skipped);
    }
    ::close(ends[1]);
    std::string bytes;
    std::array<char, 4096> part{};
    for (ssize_t n = 0; (n = ::read(ends[0], part.data(), part.size())) > 0;)
        bytes.append(part.data(), static_cast<std::size_t>(n));
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    ended e{.code = WEXITSTATUS(status)};
    if (const auto payload =
            parse_answer({.how = child_outcome::exited, .code = 0, .result = bytes, .last_words = {}, .seconds = 0})
                .payload)
        e.answer = from_json_line(*payload);
    return e;
}

}  // namespace perfspec::testing
