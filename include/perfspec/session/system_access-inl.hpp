// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/block_source.hpp>
#include <perfspec/process/under_debugger.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/session/not_judged.hpp>
#include <perfspec/session/system_access.hpp>

#include <array>
#include <ctime>

namespace perfspec {

namespace detail {

/// One line that a terminal of 80 columns does not break, because only one line is taken back. Names in it cannot
/// control the terminal.
inline std::string for_one_line(const std::string& text) { return shortened(single_line("perfspec: " + text), 78); }

/// To the first column, and erases the line (ECMA-48: CR, EL).
inline constexpr const char* empty_line = "\r\x1b[K";

}  // namespace detail

void status_line::announce(const std::string& text) {
    if (is_announced_) return;
    is_announced_ = true;
    if (is_live_) return update(text);
    std::fprintf(console_, "perfspec: %s\n", detail::single_line(text).c_str());
}

void status_line::update(const std::string& text) {
    if (!is_live_) return;
    std::fprintf(console_, "%s%s", detail::empty_line, detail::for_one_line(text).c_str());
    std::fflush(console_);
    is_shown_ = true;
}

void status_line::wait(const std::string& what, waiting_time time) {
    constexpr std::chrono::nanoseconds long_wait = std::chrono::seconds(10);
    if (is_mute_ || time.so_far < long_wait) return;
    const auto written = [](std::chrono::nanoseconds t) { return format_seconds(static_cast<double>(t.count())); };
    const std::string text = written(time.so_far) + " so far (limit " + written(time.limit) + "): " + what;
    if (is_live_) return update(text);
    if (waited_for_ == what) return;
    waited_for_ = what;
    std::fprintf(console_, "perfspec: %s\n", detail::single_line(text).c_str());
}

void status_line::remove() {
    is_announced_ = false;
    waited_for_.clear();
    if (!is_shown_) return;
    std::fputs(detail::empty_line, console_);
    std::fflush(console_);
    is_shown_ = false;
}

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

system_access real_system() {
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
