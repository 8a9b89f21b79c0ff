// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#pragma once

#include <perfspec/process/child.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/quantity/json_fields.hpp>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

namespace perfspec::testing {

/// Longer than these children need on any machine: only a fault exceeds it.
inline constexpr std::chrono::seconds patience{60};

[[nodiscard]] inline child_request a_request() {
    return {{"suite / sort / latency(sort)", 2}, child_task::measure, 42, {.set = {{"key", "a plan"}}}};
}

/// A command for `child_program` with this behavior.
[[nodiscard]] inline child_command child_that(std::string behavior, std::vector<std::string> arguments = {}) {
    arguments.insert(arguments.begin(), std::move(behavior));
    return {.executable = PERFSPEC_CHILD_PROGRAM,
            .arguments = std::move(arguments),
            .environment = child_environment({}, a_request()),
            .working_directory = {},
            .time_out = patience};
}

/// The same for a child that takes requests.
[[nodiscard]] inline child_command worker_that(std::string behavior, std::vector<std::string> arguments = {}) {
    auto command = child_that(std::move(behavior), std::move(arguments));
    auto request = a_request();
    request.task = child_task::serve;
    command.environment = child_environment({}, request);
    return command;
}

/// How a child ended.
[[nodiscard]] inline child_end end_of(const child_command& command) { return posix_launcher().run(command, {}); }

/// The text in an answer of `child_program`, or the fault.
[[nodiscard]] inline std::string text_of(const child_answer& answer) {
    return answer.payload ? detail::required(detail::read_message(*answer.payload), "says").text : answer.fault;
}
/// Its answer to a question.
[[nodiscard]] inline std::string answer_to(const child_command& command) {
    return text_of(parse_answer(end_of(command)));
}
[[nodiscard]] inline std::string answer_to(const std::string& question) {
    return answer_to(child_that("tell", {question}));
}

/// A named pipe whose end shows that all processes with its other end have ended.
class vigil {
public:
    vigil() {
        std::string folder = (std::filesystem::temp_directory_path() / "perfspec-vigil-XXXXXX").string();
        if (::mkdtemp(folder.data()) == nullptr) throw std::runtime_error("vigil: no temporary folder");
        folder_ = folder;
        if (::mkfifo(path().c_str(), 0600) != 0) throw std::runtime_error("vigil: no named pipe");
        descriptor_ = ::open(path().c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    }
    vigil(const vigil&) = delete;
    vigil& operator=(const vigil&) = delete;
    ~vigil() {
        ::close(descriptor_);
        std::filesystem::remove_all(folder_);
    }

    [[nodiscard]] std::string path() const { return (folder_ / "pipe").string(); }

    /// Waits for the next byte, or for the end; '!' if neither comes.
    [[nodiscard]] char next() {
        pollfd source{descriptor_, POLLIN, 0};
        if (::poll(&source, 1, static_cast<int>(std::chrono::milliseconds(patience).count())) != 1) return '!';
        char byte{};
        const auto count = ::read(descriptor_, &byte, 1);
        return count == 1 ? byte : count == 0 ? ended : '!';
    }
    static constexpr char ended = '.';

private:
    std::filesystem::path folder_;
    int descriptor_{-1};
};

}  // namespace perfspec::testing
