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

/// Prepares this process for its work as a child. Call it once, as early as possible and before other threads start.
/// Use the returned request from then on.
///
/// - The result pipe and the request pipe move to descriptors of 100 and more, away from those that code under test
/// closes and opens.
/// - The child dies when its parent dies: the kernel sees to it.
/// - Processes that it starts do not inherit these pipes or the request (`program_start_environment` keeps the
/// variables).
///
/// variables  the variables that it was started with. Without PERFSPEC_PARENT (a request set by hand) no parent is
/// watched.
[[nodiscard]] child_request become_child(child_request request, const environment& variables);

/// Sends the result to the parent and ends the process at once: no destructors, no exit handlers, no flushing.
/// Where the result cannot be written, prints a line on standard error and exits with code 1.
[[noreturn]] void reply_and_exit(const child_request& request, std::string_view result);

/// Sends an answer to the parent and returns: for a child that serves requests. Ends the process where nobody reads the
/// answer.
void answer(const child_request& request, std::string_view payload);

/// Reads the requests of a child that serves, each a line without its end; nothing when the parent is gone.
class request_reader {
public:
    explicit request_reader(const child_request& request) noexcept : descriptor_(request.request_descriptor) {}
    [[nodiscard]] std::optional<std::string> next();

private:
    int descriptor_;
    std::string pending_;
};

/// Frames an answer as a message: `perfspec-answer <version> <length> <checksum>`, a newline, the payload, a newline.
[[nodiscard]] std::string frame_answer(std::string_view payload);

/// Reads the answer that a child left. It must be complete and alone on the result pipe, because code under test can
/// find that pipe and write to it. Any other bytes are a fault, and so is any end but exit code 0.
[[nodiscard]] child_answer parse_answer(const child_end& end);

/// Takes the first answer from bytes that are still arriving: nothing while they can become an answer, a fault as soon
/// as they cannot.
[[nodiscard]] std::optional<child_answer> take_answer(std::string& bytes);

}  // namespace perfspec
