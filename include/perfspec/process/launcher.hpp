// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/machine/clock.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {

/// uncollected: other code in this program took the exit code (SIGCHLD ignored, a wait for any child).
enum class child_outcome : std::uint8_t { exited, signalled, timed_out, not_started, uncollected };

/// The end of a child, and its output.
struct child_end {
    child_outcome how{child_outcome::not_started};
    int code{};                ///< exit code, signal number, or errno of the start; 0 otherwise
    std::string result{};      ///< bytes of the result pipe: at most `largest_child_result`, or one more if cut
    std::string last_words{};  ///< the end of its standard output and error together, at most `max_last_words`;
                               ///< or why it could not be started
    double seconds{};          ///< from start to end, to account for costs

    /// Whether it ended by itself, and did not report an error.
    [[nodiscard]] bool is_good() const noexcept {
        return (how == child_outcome::exited && code == 0) || how == child_outcome::uncollected;
    }
};

inline constexpr std::size_t largest_child_result = std::size_t{64} << 20;
inline constexpr std::size_t max_last_words = 4096;

/// Called once a second during a wait for an answer or the end of a child, with the time so far. Empty: no calls.
using wait_callback = std::function<void(std::chrono::nanoseconds so_far)>;
inline constexpr std::chrono::nanoseconds waiting_step = std::chrono::seconds(1);

/// The clock of one wait.
class waiting_clock {
public:
    waiting_clock(std::chrono::nanoseconds at_most, const wait_callback& tell) : at_most_(at_most), tell_(tell) {}

    /// Reports the time so far, if a report is due. Returns the time until the next report or the end of the wait; zero
    /// or less at its end.
    [[nodiscard]] std::chrono::nanoseconds left() {
        const std::chrono::nanoseconds so_far = std::chrono::steady_clock::now() - start_;
        for (; tell_ && next_ < at_most_ && next_ <= so_far; next_ += waiting_step) tell_(next_);
        return (tell_ ? std::min(next_, at_most_) : at_most_) - so_far;
    }

private:
    std::chrono::steady_clock::time_point start_{std::chrono::steady_clock::now()};
    std::chrono::nanoseconds at_most_;
    const wait_callback& tell_;
    std::chrono::nanoseconds next_{waiting_step};
};

/// A child's answer: its payload, or why there is none.
struct child_answer {
    std::optional<std::string> payload;
    std::string fault;                               ///< a sentence for people; empty: there is a payload
    failure_kind kind{failure_kind::worker_failed};  ///< of the fault
};

/// A running child that answers one request at a time. The child and all that it started are killed when this object is
/// destroyed.
class running_process : public seam {
public:
    /// Sends one line, without its end. `receive` reports a failure.
    virtual void send(std::string_view line) = 0;

    /// Stops the child and its group until the next `send` or `wait`, so its spinning threads take no processor from
    /// other work. For a child without an open request.
    virtual void pause() = 0;

    /// How long the child's first thread and the calling thread have waited for a processor so far. On a busy machine
    /// an answer is late by that. Zero if the system does not count it.
    [[nodiscard]] virtual std::chrono::nanoseconds waited_for_processor() const { return {}; }

    /// The meter of the child; null after its end, or if the system has none.
    [[nodiscard]] virtual usage_meter* usage() { return nullptr; }

    /// The next answer. If none comes in time, or the bytes are not an answer, the child is killed and the fault says
    /// why. Calls `tell` during the wait.
    [[nodiscard]] virtual child_answer receive(std::chrono::nanoseconds at_most, const wait_callback& tell) = 0;

    /// Waits at most this long for the end of the child, and then kills it. Later calls return the same end.
    [[nodiscard]] virtual child_end wait(std::chrono::nanoseconds at_most) = 0;
};

/// How to start a child.
struct child_command {
    std::string executable;  ///< a path; a relative one starts at `working_directory`; PATH is not searched
    std::vector<std::string> arguments{};                            ///< the arguments after the program's name
    std::vector<std::pair<std::string, std::string>> environment{};  ///< complete; the launcher sets PERFSPEC_PARENT
    std::string working_directory{};                                 ///< empty: the current one
    std::chrono::nanoseconds time_out{};
    bool dies_with_parent{};             ///< kills its group with this program; for children without become_child
    std::shared_ptr<void> belongings{};  ///< what a module made for the process; destroyed after its end
};

/// Starts children that answer once, or that serve requests. The interface between the code that decides about
/// processes and the system.
class process_launcher : public seam {
public:
    /// Starts a child, waits for its end, and returns its output. Calls `tell` during the wait. Throws input_error for
    /// a variable without a name, or with "=" in it. Failures of the child are in the returned value.
    [[nodiscard]] virtual child_end run(const child_command& command, const wait_callback& tell) = 0;

    /// Starts a child that serves requests (`child_task::serve`), and does not wait. Never null: a child that could not
    /// be started reports that in its first answer. The command's time-out does not limit single answers; `receive` has
    /// its own limit. Throws as `run` does.
    [[nodiscard]] virtual std::unique_ptr<running_process> start(const child_command& command) = 0;
};

/// The launcher of POSIX systems.
///
/// - It uses posix_spawn, so a parent with gigabytes mapped starts children as fast as a small one.
/// - Standard input is empty; output and error are captured. `child_result_descriptor` is the result pipe, and a child
///   that serves reads from `child_request_descriptor`. It inherits no other descriptor.
/// - The child has its own process group. A time-out kills that group, and so does the child's end: no process of the
///   child disturbs the next measurement.
/// - The child learns this process's id from PERFSPEC_PARENT and dies with it (`become_child`). If the command says so,
///   a shell kills the child's group instead, and the child may outlive the thread that started it.
class posix_launcher final : public process_launcher {
public:
    [[nodiscard]] child_end run(const child_command& command, const wait_callback& tell) override;
    [[nodiscard]] std::unique_ptr<running_process> start(const child_command& command) override;
};

/// Describes the end in one sentence, with the last words:
///
///     the child was ended by signal 11 (Segmentation fault); its last words: "while measuring PERF_CHECK( ... ) at
///     sort_test.cpp:12"
[[nodiscard]] std::string describe(const child_end& end);

/// failure_kind::timed_out, failure_kind::out_of_memory as far as the end shows it, or failure_kind::worker_failed.
[[nodiscard]] failure_kind kind_of(const child_end& end);

}  // namespace perfspec::inline v0_2
