// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace perfspec {

/// uncollected: the child ended, but other code in this program took its exit code (SIGCHLD ignored, a wait for any
/// child).
enum class child_outcome : std::uint8_t { exited, signalled, timed_out, not_started, uncollected };

/// How a child ended and what it left.
struct child_end {
    child_outcome how{child_outcome::not_started};
    int code{};  ///< exit code, signal number, or errno of the start; 0 otherwise
    std::string
        result{};  ///< bytes of the result pipe: at most `largest_child_result`, and one more where bytes were cut
    std::string last_words{};  ///< the end of its standard output and error together, at most `max_last_words`;
                               ///< or why it could not be started
    double seconds{};          ///< from start to end, to account for costs
};

inline constexpr std::size_t largest_child_result = std::size_t{64} << 20;
inline constexpr std::size_t max_last_words = 4096;

/// Called once a second while an answer, or the end of a child, is awaited, with the time so far. Empty: nothing is
/// called.
using waiting_teller = std::function<void(std::chrono::nanoseconds so_far)>;
inline constexpr std::chrono::nanoseconds waiting_step = std::chrono::seconds(1);

/// A child's answer: its payload, or why there is none.
struct child_answer {
    std::optional<std::string> payload;
    std::string fault;  ///< empty where there is a payload; else a sentence for people
};

/// A running child that answers one request at a time. The child and all that it started are killed when this object is
/// destroyed.
class running_process {
public:
    running_process() = default;
    running_process(const running_process&) = delete;
    running_process& operator=(const running_process&) = delete;
    virtual ~running_process() = default;

    /// Sends one line, without its end. Where the child does not take it, `receive` reports that.
    virtual void send(std::string_view line) = 0;

    /// Stops the child and its group until the next `send` or `wait`, so threads of it that spin take no processor from
    /// other work. For a child that owes no answer.
    virtual void pause() = 0;

    /// How long the child's first thread and the calling one have waited for a processor so far, while they could have
    /// run. On a busy machine an answer comes later by that. Zero where the system does not tell.
    [[nodiscard]] virtual std::chrono::nanoseconds starved() const { return {}; }

    /// Waits for the next answer, at most this long. Returns whether `receive` has something to return: an answer, or
    /// that the child ended.
    [[nodiscard]] virtual bool answers_within([[maybe_unused]] std::chrono::nanoseconds at_most) { return true; }

    /// The next answer. Where none comes in time, or the bytes are no answer, the child is killed and the fault says
    /// why.
    [[nodiscard]] virtual child_answer receive(std::chrono::nanoseconds at_most) = 0;

    /// Waits for the end of the child, at most this long, and then kills it. Later calls return the same end.
    [[nodiscard]] virtual child_end wait(std::chrono::nanoseconds at_most) = 0;
};

}  // namespace perfspec
