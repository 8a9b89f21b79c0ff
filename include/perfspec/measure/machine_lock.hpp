// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/clock.hpp>
#include <perfspec/measure/sleeper.hpp>

#include <chrono>
#include <cstdint>
#include <string>

namespace perfspec {

struct machine_lock_settings {
    std::string file;     ///< from machine_lock_file
    std::string program;  ///< who is measuring, for those who wait
    std::chrono::nanoseconds timeout{std::chrono::minutes{5}};
};

/// The lock file of the machine or of a device, in the folder for temporary files: `temporary_folder` is the value of TMPDIR, null or
/// empty where it is not set (then /tmp). `what` is "machine", or "cuda-0".
[[nodiscard]] std::string machine_lock_file(const char* temporary_folder, const std::string& what = "machine");

/// Keeps two measurements on one machine apart: holds an exclusive flock of one file while it lives.
///
/// All users share the file (mode 0666; it stays when the lock is released), and it names the holder's process and program.
/// Children do not inherit the descriptor: whoever starts one to measure lets go before. Take one lock a process and file: a second
/// waits for the first. A lock that cannot be had is no error but a disturbance: see `note`.
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
    int descriptor_{-1};
    std::string note_;
};

}  // namespace perfspec
