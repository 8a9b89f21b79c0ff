// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/failure.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/process/workers/worker_message.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

namespace perfspec {

namespace detail {

/// The kind of failure that the words about a process show: lack of memory, a time-out, or failure_kind::worker_failed.
[[nodiscard]] failure_kind kind_of_fault(std::string_view words);

}  // namespace detail

/// Asks a process that serves requests, one at a time. Each failure throws measurement_failure, which begins with the
/// process's name. Its kind is failure_kind::out_of_memory or timed_out where the process's end, last words or reason
/// show that, else worker_failed. The process ends at the latest with this object.
class worker_channel {
public:
    /// who       its name in messages
    /// patience  for each answer
    /// Throws input_error as `process_launcher::start` does.
    worker_channel(process_launcher& launcher, const child_command& command, std::string who,
                   std::chrono::nanoseconds patience);

    /// Sends a request, and returns the answer. `tell` is called while it is awaited; empty: nothing is.
    [[nodiscard]] worker_message exchange(const worker_message& request, const waiting_teller& tell = {});
    /// The same; the answer's word must be `expected`.
    [[nodiscard]] worker_message ask(const worker_message& request, std::string_view expected);
    /// The next answer that nobody asked for, such as a greeting.
    [[nodiscard]] worker_message next_message(const waiting_teller& tell = {});
    /// The next answer as it came, or why none came.
    [[nodiscard]] child_answer receive(const waiting_teller& tell = {});
    /// Reads an answer as a message.
    [[nodiscard]] worker_message parse(std::string_view payload) const;
    /// Stops the process until the next request.
    void pause() { process_->pause(); }
    /// How long it has waited for a processor, as `running_process::starved` says it.
    [[nodiscard]] std::chrono::nanoseconds starved() const { return process_->starved(); }
    /// Waits for the end of the process.
    [[nodiscard]] child_end wait() { return process_->wait(patience_); }

    [[noreturn]] void fail(const std::string& what) const;
    [[noreturn]] void throw_unexpected(const worker_message& found, std::string_view expected) const;

private:
    std::string who_;
    std::chrono::nanoseconds patience_;
    std::unique_ptr<running_process> process_;
};

}  // namespace perfspec
