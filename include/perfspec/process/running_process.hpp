// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace perfspec {

/// uncollected: it ended, and its exit code went to someone else in this program (SIGCHLD ignored, a wait for any child).
enum class child_outcome : std::uint8_t { exited, signalled, timed_out, not_started, uncollected };

/// How a child ended and what it left.
struct child_end {
    child_outcome how{child_outcome::not_started};
    int code{};                ///< exit code, signal number, or errno of the start; 0 otherwise
    std::string result{};      ///< bytes of the result pipe, at most `largest_child_result` and one more that tells of a cut
    std::string last_words{};  ///< the end of what it wrote to standard output and error together, at most `max_last_words`; or why it
                               ///< could not be started
    double seconds{};          ///< from the start to the end, for the account of costs
};

inline constexpr std::size_t largest_child_result = std::size_t{64} << 20;
inline constexpr std::size_t max_last_words = 4096;

/// What a child answered: its payload, or why there is none.
struct child_answer {
    std::optional<std::string> payload;
    std::string fault;  ///< empty where there is a payload; else a sentence for people
};

/// A child that runs and is asked, one request at a time. It is killed, with all it started, when this object goes, whichever way that is.
class running_process {
public:
    running_process() = default;
    running_process(const running_process&) = delete;
    running_process& operator=(const running_process&) = delete;
    virtual ~running_process() = default;

    /// Hands over one line, without its end. That a child does not take it shows in what `receive` says.
    virtual void send(std::string_view line) = 0;

    /// The next answer. Where none comes in time, or something that is none, the child is ended, and the fault says how that came.
    [[nodiscard]] virtual child_answer receive(std::chrono::nanoseconds at_most) = 0;

    /// How it ended; waits for that, but at most so long, and then ends it. The same for every later call.
    [[nodiscard]] virtual child_end wait(std::chrono::nanoseconds at_most) = 0;
};

}  // namespace perfspec
