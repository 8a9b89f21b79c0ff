// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/child_request.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/process/pipes.ipp>
#include <perfspec/process/printable.hpp>
#include <perfspec/process/spawn.ipp>
#include <perfspec/process/variables.hpp>
#include <perfspec/quantity/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <system_error>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__)
#    include <sys/syscall.h>
#endif

namespace perfspec {

namespace detail {

inline void require_carriable(const std::string& what, const std::string& text) {
    if (text.find('\0') == std::string::npos) return;
    throw input_error(
        fmt::format("child command: found a NUL in the {} {}, which no process can be given; remove it", what, excerpt(text)));
}

inline void require_startable(const child_command& command) {
    if (command.executable.empty())
        throw input_error(
            "child command: found no executable, expected a path such as \"build/tests/sort_test\"; where this program's own path "
            "is not known, name it");
    if (command.time_out <= std::chrono::nanoseconds::zero())
        throw input_error(
            fmt::format("child command: found a time-out of {} ns, expected a positive one such as 10 s; nothing waits for ever",
                        command.time_out.count()));
    require_carriable("executable", command.executable);
    require_carriable("working directory", command.working_directory);
    for (const auto& argument : command.arguments) require_carriable("argument", argument);
    for (const auto& [name, value] : command.environment) {
        require_carriable("variable name", name);
        require_carriable("variable", value);
        if (name.empty() || name.find('=') != std::string::npos)
            throw input_error(fmt::format(
                "child command: found a variable called {}, expected a name without \"=\" such as \"PATH\"; correct it", excerpt(name)));
    }
}

/// A child that runs: its id, and what it is heard by.
struct running_child {
    pid_t id{};
    pipe_descriptor death;  ///< readable when it has ended; closed where the system has no such thing
    pipe_reader result;
    pipe_reader output;
};

/// A descriptor that becomes readable when the process ends: Linux 5.3.
[[nodiscard]] inline pipe_descriptor death_descriptor([[maybe_unused]] pid_t id) noexcept {
#if defined(__linux__) && defined(SYS_pidfd_open)
    return pipe_descriptor(static_cast<int>(::syscall(SYS_pidfd_open, id, 0)));
#else
    return {};
#endif
}

/// waitid that signals do not interrupt: 0, or an errno.
[[nodiscard]] inline int wait_for_process(pid_t id, siginfo_t& news, int options) noexcept {
    news = {};
    while (::waitid(P_PID, static_cast<id_t>(id), &news, options) != 0)
        if (errno != EINTR) return errno;
    return 0;
}

/// Whether it ended, or nobody knows it any more. It stays uncollected, so that its id keeps naming it and its group.
[[nodiscard]] inline bool has_child_ended(pid_t id) noexcept {
    siginfo_t news;
    return wait_for_process(id, news, WEXITED | WNOHANG | WNOWAIT) != 0 || news.si_pid == id;
}

/// Sleeps until the child wrote, ended, or the time is up.
inline void wait_for_news(const running_child& child, std::chrono::nanoseconds at_most) noexcept {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(at_most).count();
    // without a descriptor of its death, an end that leaves the pipes open to others is found by looking
    const std::chrono::milliseconds::rep nap = child.death.get() >= 0 ? INT_MAX : 10;
    pollfd sources[] = {{child.death.get(), POLLIN, 0}, {child.result.descriptor(), POLLIN, 0}, {child.output.descriptor(), POLLIN, 0}};
    ::poll(sources, 3, static_cast<int>(std::min(left, nap)));
}

/// Follows the child until it ends: true; or until the time is up: false.
[[nodiscard]] inline bool follow_child(running_child& child, std::chrono::steady_clock::time_point started,
                                       std::chrono::nanoseconds time_out) {
    for (;;) {
        child.result.read_some();
        child.output.read_some();
        if (has_child_ended(child.id)) return true;
        const auto left = time_out - (std::chrono::steady_clock::now() - started);
        if (left <= std::chrono::nanoseconds::zero()) return false;
        wait_for_news(child, left);
    }
}

/// Ends what is left of the child and its group, and collects how it ended.
[[nodiscard]] inline child_end collect_child(running_child& child, bool in_time) {
    siginfo_t news;
    // while the child is uncollected, the number of its group cannot belong to anyone else
    if (wait_for_process(child.id, news, WEXITED | WNOHANG | WNOWAIT) == 0) {
        ::kill(-child.id, SIGKILL);
        ::kill(child.id, SIGKILL);  // it may have left its group
    }
    child_end end;
    if (wait_for_process(child.id, news, WEXITED) != 0) {
        end.how = child_outcome::uncollected;
    } else {
        end.how = news.si_code == CLD_EXITED ? child_outcome::exited : child_outcome::signalled;
        end.code = news.si_status;
    }
    if (!in_time) {
        end.how = child_outcome::timed_out;
        end.code = 0;
    }
    child.result.read_some();
    child.output.read_some();
    end.result = child.result.take();
    end.last_words = std::string(last_bytes(child.output.take(), most_last_words));
    return end;
}

[[nodiscard]] inline child_end start_failure(const child_command& command, int error) {
    const auto place = command.working_directory.empty() ? std::string() : fmt::format(" in {}", excerpt(command.working_directory));
    return {child_outcome::not_started,
            error,
            {},
            fmt::format("{}{}: {}", excerpt(command.executable), place, std::generic_category().message(error)),
            0};
}

}  // namespace detail

child_end posix_launcher::run(const child_command& command) {
    detail::require_startable(command);
    const auto started = std::chrono::steady_clock::now();
    auto result = detail::open_pipe();
    auto output = detail::open_pipe();
    if (result.error != 0 || output.error != 0) return detail::start_failure(command, result.error != 0 ? result.error : output.error);

    const auto spawned = detail::spawn_child(command, result.write.get(), output.write.get());
    if (spawned.error != 0) return detail::start_failure(command, spawned.error);
    result.write.close();
    output.write.close();

    detail::running_child child{spawned.id, detail::death_descriptor(spawned.id),
                                detail::pipe_reader(std::move(result.read), detail::keep_bytes::first, largest_child_result + 1),
                                detail::pipe_reader(std::move(output.read), detail::keep_bytes::last, most_last_words)};
    const bool in_time = detail::follow_child(child, started, command.time_out);
    auto end = detail::collect_child(child, in_time);
    end.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return end;
}

}  // namespace perfspec
