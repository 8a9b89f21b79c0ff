// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/running_process.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec {

/// How to start a child.
struct child_command {
    std::string executable;  ///< a path; a relative one starts at `working_directory`; PATH is not searched
    std::vector<std::string> arguments{};                            ///< the arguments after the program's name
    std::vector<std::pair<std::string, std::string>> environment{};  ///< complete; the launcher sets PERFSPEC_PARENT
    std::string working_directory{};                                 ///< empty: the current one
    std::chrono::nanoseconds time_out{};
    bool dies_with_parent{};  ///< its group is killed when this program ends, however that is; for a child that does
                              ///< not see to it itself
    std::shared_ptr<void> belongings{};  ///< goes after the process has ended, with what a module made for it
};

/// Starts children that answer once, or that serve requests. The interface between the code that decides about
/// processes and the system.
class process_launcher {
public:
    process_launcher() = default;
    process_launcher(const process_launcher&) = delete;
    process_launcher& operator=(const process_launcher&) = delete;
    virtual ~process_launcher() = default;

    /// Starts a child, waits for its end, and returns the output that it left.
    /// Throws input_error for a command that no process can run: no executable, a NUL, a variable without a name, or no
    /// time. All that happens to the child is in the returned value.
    [[nodiscard]] virtual child_end run(const child_command& command) = 0;

    /// The same, and tells how long it has run.
    [[nodiscard]] virtual child_end run_and_tell(const child_command& command,
                                                 [[maybe_unused]] const waiting_teller& tell) {
        return run(command);
    }

    /// Starts a child that serves requests (`child_task::serve`), and does not wait. Never null: a child that could not
    /// be started reports that in its first answer. The command's time-out does not limit single answers; `receive` has
    /// its own limit. Throws as `run` does.
    [[nodiscard]] virtual std::unique_ptr<running_process> start(const child_command& command) = 0;
};

/// The launcher of POSIX systems.
///
/// - It uses posix_spawn, which shares the parent's memory until the exec: a parent with gigabytes mapped starts
/// children as fast as
///   a small one.
/// - Standard input is empty; output and error are captured. `child_result_descriptor` is the result pipe. A child that
/// serves reads its
///   requests from `child_request_descriptor`. No other descriptor is inherited, even where the program opened it
///   without O_CLOEXEC.
/// - The child has its own process group. A time-out kills that group, and so does the child's end: nothing that the
/// child left running
///   disturbs the next measurement.
/// - The child learns this process's id from PERFSPEC_PARENT and dies with it (`become_child`). Where
/// the command says so, a shell kills the child's group instead, and the variable is not set: the child then may outlive
/// the thread that started it, as it may not by PR_SET_PDEATHSIG.
class posix_launcher final : public process_launcher {
public:
    [[nodiscard]] child_end run(const child_command& command) override { return run_and_tell(command, {}); }
    [[nodiscard]] child_end run_and_tell(const child_command& command, const waiting_teller& tell) override;
    [[nodiscard]] std::unique_ptr<running_process> start(const child_command& command) override;
};

/// Describes the end in one sentence, with the last words:
///
///     the child was ended by signal 11 (Segmentation fault); its last words: "while measuring PERF_CHECK( ... ) at
///     sort_test.cpp:12"
[[nodiscard]] std::string describe(const child_end& end);

namespace detail {

/// How the description of a child that did not end in time begins.
inline constexpr std::string_view time_out_words = "the child took too long";

}  // namespace detail

}  // namespace perfspec
