// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/environment.hpp>
#include <perfspec/process/child.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <unistd.h>

#if defined(__GLIBC__)
#    define PERFSPEC_DETAIL_GLIBC_AT_LEAST(MINOR) __GLIBC_PREREQ(2, MINOR)
#else
#    define PERFSPEC_DETAIL_GLIBC_AT_LEAST(MINOR) 0
#endif

#if !PERFSPEC_DETAIL_GLIBC_AT_LEAST(34)
#    include <dirent.h>
#endif

namespace perfspec::inline v0_2::detail {

/// The settings of one posix_spawn. `error` is the first errno, or 0.
struct spawn_settings {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error{};

    spawn_settings() noexcept {
        note(::posix_spawn_file_actions_init(&actions));
        note(::posix_spawnattr_init(&attributes));
    }
    spawn_settings(const spawn_settings&) = delete;
    spawn_settings& operator=(const spawn_settings&) = delete;
    ~spawn_settings() {
        ::posix_spawn_file_actions_destroy(&actions);
        ::posix_spawnattr_destroy(&attributes);
    }

    void note(int status) noexcept {
        if (error == 0) error = status;
    }
};

/// Closes all descriptors from `first` on in the child, even those that the program opened without O_CLOEXEC.
inline void close_descriptors_from(spawn_settings& settings, int first) {
#if PERFSPEC_DETAIL_GLIBC_AT_LEAST(34)
    settings.note(::posix_spawn_file_actions_addclosefrom_np(&settings.actions, first));
#else
    // This misses descriptors that another thread opens without O_CLOEXEC between here and the start.
    DIR* const open_ones = ::opendir("/proc/self/fd");
    if (open_ones == nullptr) return settings.note(errno);
    while (const dirent* const entry = ::readdir(open_ones)) {
        const auto number = whole_number<int>(entry->d_name);
        if (number && *number >= first) settings.note(::posix_spawn_file_actions_addclose(&settings.actions, *number));
    }
    ::closedir(open_ones);
#endif
}

/// The parent's descriptors that the child receives; no `requests` for a child that answers once.
struct child_descriptors {
    int result{-1};
    int output{-1};
    int requests{-1};
};

inline void set_spawn_descriptors(spawn_settings& settings, const child_descriptors& descriptors) {
    auto* const actions = &settings.actions;
    settings.note(::posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0));
    settings.note(::posix_spawn_file_actions_adddup2(actions, descriptors.output, STDOUT_FILENO));
    settings.note(::posix_spawn_file_actions_adddup2(actions, descriptors.output, STDERR_FILENO));
    settings.note(::posix_spawn_file_actions_adddup2(actions, descriptors.result, child_result_descriptor));
    if (descriptors.requests >= 0)
        settings.note(::posix_spawn_file_actions_adddup2(actions, descriptors.requests, child_request_descriptor));
    close_descriptors_from(settings,
                           descriptors.requests >= 0 ? child_request_descriptor + 1 : child_result_descriptor + 1);
}

/// Gives the child its own process group, blocks no signal, and resets the signals that a program often ignores.
inline void set_spawn_signals(spawn_settings& settings) {
    sigset_t none;
    sigset_t defaulted;
    sigemptyset(&none);
    sigemptyset(&defaulted);
    sigaddset(&defaulted, SIGPIPE);
    sigaddset(&defaulted, SIGCHLD);
    settings.note(::posix_spawnattr_setsigmask(&settings.attributes, &none));
    settings.note(::posix_spawnattr_setsigdefault(&settings.attributes, &defaulted));
    settings.note(::posix_spawnattr_setpgroup(&settings.attributes, 0));
    constexpr int flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    settings.note(::posix_spawnattr_setflags(&settings.attributes, static_cast<short>(flags)));
}

/// The arguments for exec: the program's name and those after it.
[[nodiscard]] inline std::vector<std::string> spawn_arguments(spawn_settings& settings, const child_command& command) {
    const program_start& own = at_program_start();
    std::vector<std::string> arguments;
    if (command.executable == own.executable) arguments = own.loader;
    arguments.push_back(command.executable);
    if (!command.working_directory.empty()) {
#if defined(__GLIBC__) && !PERFSPEC_DETAIL_GLIBC_AT_LEAST(29)
        // This glibc cannot change the directory of a spawned process. A shell can, and it reports a missing directory.
        static_cast<void>(settings);
        arguments = {"/bin/sh", "-c", "cd -- \"$0\" && exec \"$@\"", command.working_directory, command.executable};
#else
        settings.note(::posix_spawn_file_actions_addchdir_np(&settings.actions, command.working_directory.c_str()));
#endif
    }
    arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
    return arguments;
}

/// The null-ended array of pointers that exec takes.
[[nodiscard]] inline std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (auto& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// A started process, or the errno of the start.
struct spawned_process {
    pid_t id{};
    int error{};
};

/// Starts the command with these descriptors. Returns after the exec, when the child's group exists.
[[nodiscard]] inline spawned_process spawn_child(const child_command& command, const child_descriptors& descriptors) {
    spawn_settings settings;
    set_spawn_descriptors(settings, descriptors);
    set_spawn_signals(settings);
    auto arguments = spawn_arguments(settings, command);
    std::vector<std::string> variables;
    for (const auto& [name, value] : with_variable(command.environment, "PERFSPEC_PARENT", std::to_string(::getpid())))
        if (!command.dies_with_parent || name != "PERFSPEC_PARENT")
            variables.push_back(fmt::format("{}={}", name, value));
    if (settings.error != 0) return {0, settings.error};

    // This program's path may name another file by now, such as a new build.
    const bool is_own = arguments.front() == at_program_start().executable;
    spawned_process child;
    child.error = ::posix_spawn(&child.id, is_own ? "/proc/self/exe" : arguments.front().c_str(), &settings.actions,
                                &settings.attributes, pointers_to(arguments).data(), pointers_to(variables).data());
    return child;
}

}  // namespace perfspec::inline v0_2::detail

#undef PERFSPEC_DETAIL_GLIBC_AT_LEAST

namespace perfspec::inline v0_2::detail {

/// A file descriptor that is closed with its owner; -1 means none.
class pipe_descriptor {
public:
    pipe_descriptor() = default;
    explicit pipe_descriptor(int number) noexcept : number_(number) {}
    pipe_descriptor(pipe_descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    pipe_descriptor& operator=(pipe_descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~pipe_descriptor() { close(); }

    void close() noexcept {
        if (number_ >= 0) ::close(std::exchange(number_, -1));
    }
    [[nodiscard]] int get() const noexcept { return number_; }

private:
    int number_{-1};
};

/// Both ends of a pipe, or an errno.
struct pipe_ends {
    pipe_descriptor read;
    pipe_descriptor write;
    int error{};
};

/// Moves both ends above the numbers of a child's descriptors (0 to `child_request_descriptor`), even in a program that
/// closed its standard streams. Moving one end to its number in the child then never overwrites the other.
[[nodiscard]] inline pipe_ends move_up(const int (&low)[2]) noexcept {
    constexpr int lowest = 10;
    const pipe_descriptor low_read(low[0]);
    const pipe_descriptor low_write(low[1]);
    pipe_ends ends;
    ends.read = pipe_descriptor(::fcntl(low[0], F_DUPFD_CLOEXEC, lowest));
    ends.write = pipe_descriptor(ends.read.get() < 0 ? -1 : ::fcntl(low[1], F_DUPFD_CLOEXEC, lowest));
    if (ends.write.get() < 0) ends.error = errno;
    return ends;
}

/// Opens a pipe that no other child inherits.
[[nodiscard]] inline pipe_ends open_pipe() noexcept {
    int low[2];
    if (::pipe2(low, O_CLOEXEC) != 0) return {{}, {}, errno};
    pipe_ends ends = move_up(low);
    // Only reads do not block: the child's writes wait, as in any pipe.
    if (ends.error == 0 && ::fcntl(ends.read.get(), F_SETFL, O_NONBLOCK) != 0) ends.error = errno;
    return ends;
}

/// Opens a connection for requests: the parent's end and the child's. It is a socket, because a write after the end of
/// the child must be an error and not a signal.
[[nodiscard]] inline pipe_ends open_request_channel() noexcept {
    int low[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, low) != 0) return {{}, {}, errno};
    return move_up(low);
}

enum class keep_bytes : std::uint8_t { first, last };

/// Empties a pipe without ever waiting, and keeps a limited part of its bytes.
class pipe_reader {
public:
    pipe_reader(pipe_descriptor source, keep_bytes which, std::size_t maximum) noexcept
        : source_(std::move(source)), which_(which), max_(maximum) {}

    /// Reads the available bytes, up to a limit, so that a writer that never stops does not block the time check.
    /// Closes the source at its end.
    void read_some() {
        char bytes[65536];
        for (int n = 0; n < 32 && source_.get() >= 0; ++n) {
            const ssize_t count = ::read(source_.get(), bytes, sizeof bytes);
            if (count > 0) keep({bytes, static_cast<std::size_t>(count)});
            else if (count == 0 || (errno != EINTR && errno != EAGAIN)) source_.close();
            else if (errno == EAGAIN) return;
        }
    }

    [[nodiscard]] int descriptor() const noexcept { return source_.get(); }
    /// The bytes kept so far; the caller may remove some.
    [[nodiscard]] std::string& kept() noexcept { return kept_; }
    /// Moves out the kept bytes: the first ones, or at least the last ones. If bytes were cut, they are more than the
    /// maximum.
    [[nodiscard]] std::string take() noexcept { return std::move(kept_); }

private:
    void keep(std::string_view bytes) {
        if (which_ == keep_bytes::first) {
            kept_ += bytes.substr(0, max_ - kept_.size());
            return;
        }
        kept_ += bytes;
        if (kept_.size() > 2 * max_)
            kept_.erase(0, kept_.size() - max_ - 1);  // one byte more than the maximum shows the cut
    }

    pipe_descriptor source_;
    keep_bytes which_;
    std::size_t max_;
    std::string kept_;
};

}  // namespace perfspec::inline v0_2::detail
