// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/child_request.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/process/printable.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#if defined(__GLIBC__)
#    define PERFSPEC_DETAIL_GLIBC_AT_LEAST(MINOR) __GLIBC_PREREQ(2, MINOR)
#else
#    define PERFSPEC_DETAIL_GLIBC_AT_LEAST(MINOR) 0
#endif

#if !PERFSPEC_DETAIL_GLIBC_AT_LEAST(34)
#    include <dirent.h>
#endif

namespace perfspec::detail {

/// The settings of one posix_spawn. `error` is the first errno from making them, else 0.
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

    void note(int found) noexcept {
        if (error == 0) error = found;
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

/// The parent's descriptors that the child receives; without `requests` for a child that answers once.
struct child_descriptors {
    int result{-1};
    int output{-1};
    int requests{-1};
};

inline void set_spawn_descriptors(spawn_settings& settings, const child_descriptors& given) {
    auto* const actions = &settings.actions;
    settings.note(::posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0));
    settings.note(::posix_spawn_file_actions_adddup2(actions, given.output, STDOUT_FILENO));
    settings.note(::posix_spawn_file_actions_adddup2(actions, given.output, STDERR_FILENO));
    settings.note(::posix_spawn_file_actions_adddup2(actions, given.result, child_result_descriptor));
    if (given.requests >= 0)
        settings.note(::posix_spawn_file_actions_adddup2(actions, given.requests, child_request_descriptor));
    close_descriptors_from(settings, given.requests >= 0 ? child_request_descriptor + 1 : child_result_descriptor + 1);
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
    std::vector<std::string> arguments{command.executable};
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
[[nodiscard]] inline spawned_process spawn_child(const child_command& command, const child_descriptors& given) {
    spawn_settings settings;
    set_spawn_descriptors(settings, given);
    set_spawn_signals(settings);
    auto arguments = spawn_arguments(settings, command);
    std::vector<std::string> variables;
    for (const auto& [name, value] : with_variable(command.environment, "PERFSPEC_PARENT", std::to_string(::getpid())))
        if (!command.dies_with_parent || name != "PERFSPEC_PARENT")
            variables.push_back(fmt::format("{}={}", name, value));
    if (settings.error != 0) return {0, settings.error};

    spawned_process child;
    child.error = ::posix_spawn(&child.id, arguments.front().c_str(), &settings.actions, &settings.attributes,
                                pointers_to(arguments).data(), pointers_to(variables).data());
    return child;
}

}  // namespace perfspec::detail

#undef PERFSPEC_DETAIL_GLIBC_AT_LEAST
