// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/machine/clock.hpp>

#include <chrono>
#include <cstdio>
#include <set>
#include <string>

namespace perfspec::inline v0_2 {

/// The state that the locks of a process share.
struct lock_memory {
    std::set<std::string> timed_out_holders{};  ///< do not wait for these holders until this process has locked again
    bool has_reported{};                        ///< whether it has reported a wait, at most once in a process
};

struct machine_lock_settings {
    std::string file;     ///< from machine_lock_file
    std::string program;  ///< the measuring program, shown to waiting processes
    std::chrono::nanoseconds timeout{std::chrono::seconds{30}};
    lock_memory* memory{};  ///< of this process; null if it takes only one lock
    std::FILE* console{};   ///< for the report of a wait of two seconds; may be null
};

/// The lock file of the machine, in the folder for temporary files: the value of TMPDIR, or /tmp if that is empty.
[[nodiscard]] std::string machine_lock_file(const std::string& temporary_folder);

/// Keeps two measurements on one machine apart. It holds an exclusive flock of one file during its lifetime.
///
/// All users share the file (mode 0666; it stays when the lock is released). The file contains the holder's process and
/// program. Child programs do not inherit the descriptor: the parent holds the lock for them. A forked process does
/// inherit it, so the lock is released explicitly before the file is closed. Take one lock per process and file: a
/// second one waits for the first. A missing lock is a disturbance and not an error: see `note`. A process waits for
/// one holder no longer than the time-out, in all its locks together. Processes get it in the order of their arrival.
class machine_lock {
public:
    machine_lock(const machine_lock_settings& settings, clock& wall, sleeper& rest);
    machine_lock(const machine_lock&) = delete;
    machine_lock& operator=(const machine_lock&) = delete;
    ~machine_lock();

    [[nodiscard]] bool held() const noexcept { return descriptor_ >= 0; }

    /// Why the lock is not held, and who holds it; empty when it is held.
    [[nodiscard]] const std::string& note() const noexcept { return note_; }

private:
    [[nodiscard]] int take(const machine_lock_settings& settings, clock& wall, sleeper& rest);
    void describe(int error, const machine_lock_settings& settings);

    int descriptor_{-1};
    lock_memory* memory_{};
    std::string holder_;  ///< the last holder for which it waited
    std::string note_;
};

}  // namespace perfspec::inline v0_2
