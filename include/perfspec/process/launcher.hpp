// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/running_process.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace perfspec {

/// Where the system puts the stack, the heap and the libraries of a process: as it does for this one; anywhere, anew for each; at the same addresses.
enum class address_space : std::uint8_t { inherited, randomised, fixed };

/// How to start a child.
struct child_command {
    std::string executable;                ///< a path, a relative one from `working_directory`; PATH is not searched
    std::vector<std::string> arguments{};  ///< those after the program's name
    std::vector<std::pair<std::string, std::string>> environment{};  ///< complete; the launcher adds PERFSPEC_PARENT
    std::string working_directory{};                                 ///< empty: the present one
    std::chrono::nanoseconds time_out{};
    address_space addresses{address_space::inherited};  ///< fixed: Linux; where that is refused, the child is not started
};

/// Starts children: one that answers once, or one that is asked. The seam between deciding to use a process and the system.
class process_launcher {
public:
    process_launcher() = default;
    process_launcher(const process_launcher&) = delete;
    process_launcher& operator=(const process_launcher&) = delete;
    virtual ~process_launcher() = default;

    /// Starts a child, waits for its end, hands back what it left.
    /// Throws input_error for a command that no process can be given: no executable, a NUL or a nameless variable in it, no time.
    /// Whatever happens to the child is in the returned value.
    [[nodiscard]] virtual child_end run(const child_command& command) = 0;

    /// Starts a child that takes requests (`child_task::serve`), and does not wait. Never null: what could not be started says so when it is
    /// asked. The command's time-out bounds no single answer; `receive` has its own. Throws as `run` does.
    [[nodiscard]] virtual std::unique_ptr<running_process> start(const child_command& command) = 0;
};

/// The launcher of POSIX systems.
///
/// - posix_spawn, which shares the parent's memory until the exec: a parent with gigabytes mapped starts children as fast as a small one.
/// - Standard input is empty; output and error are captured; `child_result_descriptor` is the result pipe, and `child_request_descriptor` what a
///   started child reads its requests from. No other descriptor is inherited, also where the program opened it without O_CLOEXEC.
/// - The child has its own process group. A time-out kills that group, and so does the child's own end, so that nothing it left running
///   disturbs the next measurement.
/// - The child learns this process's id from PERFSPEC_PARENT and dies with it (`become_child`).
class posix_launcher final : public process_launcher {
public:
    [[nodiscard]] child_end run(const child_command& command) override;
    [[nodiscard]] std::unique_ptr<running_process> start(const child_command& command) override;
};

/// One sentence for people, with the last words:
///
///     the child was ended by signal 11 (Segmentation fault); its last words: "while measuring PERF_CHECK( ... ) at sort_test.cpp:12"
[[nodiscard]] std::string describe(const child_end& end);

}  // namespace perfspec
