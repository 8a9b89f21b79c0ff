// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/measure/machine/sleeper.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <set>
#include <string>

namespace perfspec {

/// What a process remembers of its locks from one to the next.
struct lock_memory {
    std::set<std::string> waited_for_in_vain{};  ///< holders, as they name themselves: nobody waits for one of them again
    bool others_wait{};                          ///< somebody waited when this process let go: it lets others go first
};

struct machine_lock_settings {
    std::string file;     ///< from machine_lock_file
    std::string program;  ///< who is measuring, for those who wait
    std::chrono::nanoseconds timeout{std::chrono::minutes{5}};
    lock_memory* memory{};  ///< of this process; null where it takes one lock alone
    std::FILE* console{};   ///< where a wait of two seconds is told; null: nowhere
};

/// The lock file of the machine or of a device, in the folder for temporary files: `temporary_folder` is the value of TMPDIR, null or
/// empty where it is not set (then /tmp). `what` is "machine", or "cuda-0".
[[nodiscard]] std::string machine_lock_file(const char* temporary_folder, const std::string& what = "machine");

/// Keeps two measurements on one machine apart: holds an exclusive flock of one file while it lives.
///
/// All users share the file (mode 0666; it stays when the lock is released), and it names the holder's process and program.
/// Children do not inherit the descriptor: who starts one to measure holds the lock for it. A process that was forked does, so that the lock is given
/// back by name before the file is closed. Take one lock a process and file: a second waits for the first. A lock that cannot be had is no error but a
/// disturbance: see `note`. A process waits for one holder no longer than the time-out, in all its locks together. One that takes lock after lock
/// lets others go first that wait.
class machine_lock {
public:
    machine_lock(const machine_lock_settings& settings, clock& wall, sleeper& rest);
    machine_lock(const machine_lock&) = delete;
    machine_lock& operator=(const machine_lock&) = delete;
    ~machine_lock();

    [[nodiscard]] bool held() const noexcept { return descriptor_ >= 0; }

    /// Why the lock is not held, and by whom it is: "another measurement was running: process 4711 (vision_test) held … for 300 s".
    /// Empty when it is held.
    [[nodiscard]] const std::string& note() const noexcept { return note_; }

private:
    [[nodiscard]] int wait(const machine_lock_settings& settings, clock& wall, sleeper& rest);
    void describe(int error, const machine_lock_settings& settings);

    int descriptor_{-1};
    lock_memory* memory_{};
    std::string note_;
};

}  // namespace perfspec
