// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace perfspec {

/// How to start a child.
struct child_command {
    std::string executable;              ///< a path, a relative one from `working_directory`; PATH is not searched
    std::vector<std::string> arguments;  ///< those after the program's name
    std::vector<std::pair<std::string, std::string>> environment;  ///< complete; the launcher adds PERFSPEC_PARENT
    std::string working_directory;                                 ///< empty: the present one
    std::chrono::nanoseconds time_out{};
};

/// uncollected: it ended, and its exit code went to someone else in this program (SIGCHLD ignored, a wait for any child).
enum class child_outcome : std::uint8_t { exited, signalled, timed_out, not_started, uncollected };

/// How a child ended and what it left.
struct child_end {
    child_outcome how{child_outcome::not_started};
    int code{};              ///< exit code, signal number, or errno of the start; 0 otherwise
    std::string result;      ///< bytes of the result pipe, at most `largest_child_result` and one more that tells of a cut
    std::string last_words;  ///< the end of what it wrote to standard output and error together, at most `most_last_words`; or why it
                             ///< could not be started
    double seconds{};        ///< from the start to the end, for the account of costs
};

inline constexpr std::size_t largest_child_result = std::size_t{64} << 20;
inline constexpr std::size_t most_last_words = 4096;

/// Starts a child, waits for its end, hands back what it left. The seam between deciding to use a process and the system.
class process_launcher {
public:
    process_launcher() = default;
    process_launcher(const process_launcher&) = delete;
    process_launcher& operator=(const process_launcher&) = delete;
    virtual ~process_launcher() = default;

    /// Throws input_error for a command that no process can be given: no executable, a NUL or a nameless variable in it, no time.
    /// Whatever happens to the child is in the returned value.
    [[nodiscard]] virtual child_end run(const child_command& command) = 0;
};

/// The launcher of POSIX systems.
///
/// - posix_spawn, which shares the parent's memory until the exec: a parent with gigabytes mapped starts children as fast as a small one.
/// - Standard input is empty; output and error are captured; `child_result_descriptor` is the result pipe. No other descriptor is
///   inherited, also where the program opened it without O_CLOEXEC.
/// - The child has its own process group. A time-out kills that group, and so does the child's own end, so that nothing it left running
///   disturbs the next measurement.
/// - The child learns this process's id from PERFSPEC_PARENT and dies with it (`become_child`).
class posix_launcher final : public process_launcher {
public:
    [[nodiscard]] child_end run(const child_command& command) override;
};

/// One sentence for people, with the last words:
///
///     the child was ended by signal 11 (Segmentation fault); its last words: "while measuring PERF_CHECK( ... ) at sort_test.cpp:12"
[[nodiscard]] std::string describe(const child_end& end);

}  // namespace perfspec
