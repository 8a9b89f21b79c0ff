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

/// Makes this process the child that it was started to be. Called once, as early as possible and before other threads start. From then on the
/// request that it returns counts.
///
/// - The result pipe, and that of requests, move to descriptors of 100 and more, away from those that code under test closes and opens, and what
///   they are is remembered: nothing but that pipe is ever written to.
/// - It dies when the process that started it dies: on Linux by the kernel; elsewhere it outlives its parent until its claim is measured.
/// - Processes that it starts inherit neither these pipes nor the request (`program_start_environment` keeps the variables).
///
/// variables  those it was started with. Without PERFSPEC_PARENT (a request set by hand) no parent is watched.
/// Throws input_error for a PERFSPEC_PARENT that is no process id, or a result descriptor that is not open.
[[nodiscard]] child_request become_child(child_request request, const environment& variables);

/// Hands the result to the parent and ends the process at once: no destructors, no exit handlers, no flushing.
/// Where the result cannot be written, or its descriptor is no longer the result pipe, a line on standard error says so and the exit code is 1.
[[noreturn]] void answer_and_stop(const child_request& request, std::string_view result);

/// Hands an answer to the parent and goes on: for a child that serves. Ends the process where nobody takes it.
void answer(const child_request& request, std::string_view payload);

/// The next request of a child that serves, a line without its end; nothing when the parent is gone, or the descriptor is another file's.
class request_reader {
public:
    explicit request_reader(const child_request& request) noexcept : descriptor_(request.request_descriptor), file_(request.request_file) {}
    [[nodiscard]] std::optional<std::string> next();

private:
    int descriptor_;
    std::optional<file_identity> file_;
    std::string pending_;
};

/// The message of an answer: `perfspec-answer <version> <length> <checksum>`, a newline, the payload, a newline.
[[nodiscard]] std::string frame_answer(std::string_view payload);

/// The answer in what a child left. It counts only whole and alone: anything else on the result pipe, which code under test can find and
/// write to, is a fault, and so is every end but exit code 0.
[[nodiscard]] child_answer parse_answer(const child_end& end);

/// Takes the first answer from the front of bytes that are still arriving: nothing as long as it can become one, a fault as soon as it cannot.
[[nodiscard]] std::optional<child_answer> take_answer(std::string& bytes);

}  // namespace perfspec
