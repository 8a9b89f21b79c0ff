// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/coin.hpp>
#include <perfspec/process/under_debugger.hpp>
#include <perfspec/report/console/console.hpp>
#include <perfspec/session/not_judged.hpp>
#include <perfspec/session/surroundings.hpp>

#include <array>
#include <ctime>

namespace perfspec {
namespace detail {

inline std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm fields{};
    gmtime_r(&now, &fields);
    std::array<char, 32> text{};
    const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &fields);
    return {text.data(), length};
}

}  // namespace detail

surroundings real_surroundings() {
    static program_start_environment variables;
    static posix_file_system files;
    static monotonic_clock wall;
    static process_cpu_clock cpu;
    static thread_sleeper rest;
    static posix_launcher launcher;
    return {variables,
            files,
            wall,
            cpu,
            rest,
            launcher,
            at_program_start(),
            detail::utc_now,
            fresh_seed,
            perfspec::under_debugger,
            process_counters(),
            stderr,
            stderr,
            usable_cores(),
            perfspec::move_to_core,
            instrumentation_of_program,
            &process_usage(),
            keep_processors_busy,
            known_device_machine(),
            is_terminal(stderr) && variables.get("TERM") != "dumb"};
}

}  // namespace perfspec
