// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/file_system.hpp>
#include <perfspec/baseline/fingerprint/device_machine.hpp>
#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/measure/counters/usage.hpp>
#include <perfspec/measure/machine/busy_processors.hpp>
#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/measure/machine/core.hpp>
#include <perfspec/measure/machine/sleeper.hpp>
#include <perfspec/plan/environment.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/process/program_start.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace perfspec {

/// Everything outside the program that an evaluation uses. Tests script each part.
struct surroundings {
    const environment& variables;
    file_system& files;
    clock& wall;
    clock& cpu;
    sleeper& rest;
    process_launcher& launcher;
    const program_start& start;
    std::string (*utc_now)();  ///< RFC 3339, whole seconds
    std::uint64_t (*draw_seed)();
    bool (*under_debugger)();
    perfspec::counters& counts;
    std::FILE* annotations = stderr;     ///< receives annotations for CI
    std::FILE* console = stderr;         ///< receives notes for people that do not belong to one assertion
    std::vector<std::uint32_t> cores{};  ///< the cores that this process may run on
    void (*move_to_core)(std::uint32_t core) noexcept = perfspec::move_to_core;
    const char* (*instrumented_by)() noexcept = []() noexcept {
        return "";
    };                     ///< the instrumentation that a file of this program is compiled with; empty: none
    usage_meter* usage{};  ///< what the process uses in addition to the measured body; null: not observed
    std::unique_ptr<machine_load> (*make_load)(std::size_t threads) =
        nullptr;                ///< keeps processors busy; null: not allowed
    device_machine*& devices;   ///< null: the program has no module that knows devices
    bool live_console = false;  ///< whether the console is a terminal that can replace its last line
};

/// This machine and this process.
[[nodiscard]] surroundings real_surroundings();

}  // namespace perfspec
