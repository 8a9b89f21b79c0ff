// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/environment.hpp>
#include <perfspec/process/child_request.hpp>
#include <perfspec/process/launcher.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace perfspec {

/// Makes this process the child that it was started to be. Called once, as early as possible and before other threads start.
///
/// - It dies when the process that started it dies: on Linux by the kernel; elsewhere it outlives its parent until its claim is measured.
/// - Processes that it starts inherit neither the result pipe nor the request (`program_start_environment` keeps the variables).
///
/// variables  those it was started with. Without PERFSPEC_PARENT (a request set by hand) no parent is watched.
/// Throws input_error for a PERFSPEC_PARENT that is no process id, or a result descriptor that is not open.
void become_child(const child_request& request, const environment& variables);

/// Hands the result to the parent and ends the process at once: no destructors, no exit handlers, no flushing.
/// Where the result cannot be written, a line on standard error says why and the exit code is 1.
[[noreturn]] void answer_and_stop(const child_request& request, std::string_view result);

/// The message of an answer: `perfspec-answer <version> <length> <checksum>`, a newline, the payload, a newline.
[[nodiscard]] std::string frame_answer(std::string_view payload);

/// What a child answered: its payload, or why there is none.
struct child_answer {
    std::optional<std::string> payload;
    std::string fault;  ///< empty where there is a payload; else a sentence for people
};

/// The answer in what a child left. It counts only whole and alone: anything else on the result pipe, which code under test can find and
/// write to, is a fault, and so is every end but exit code 0.
[[nodiscard]] child_answer parse_answer(const child_end& end);

}  // namespace perfspec
