// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/file_system.hpp>
#include <perfspec/baseline/fingerprint/fingerprint.hpp>
#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/measure/machine/cores.hpp>
#include <perfspec/measure/machine/disturbance.hpp>
#include <perfspec/plan/environment.hpp>
#include <perfspec/process/launcher.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace perfspec::inline v0_2 {

/// The time of a wait so far, and its limit.
struct waiting_time {
    std::chrono::nanoseconds so_far{};
    std::chrono::nanoseconds limit{};
};

/// A console line with the progress of a long measurement. On a terminal each text replaces the one before, and
/// `remove` erases the last one, so the next output starts on an empty line. A file or a pipe gets only announcements,
/// each as a line.
class status_line {
public:
    /// is_live: whether the console is a terminal that can take a line back.
    status_line(std::FILE* console, bool is_live) : console_(console), is_live_(is_live) {}

    /// Announces a long measurement. Shows only the first text since `remove`.
    void announce(const std::string& text);
    /// Shows progress, only on a terminal.
    void update(const std::string& text);
    /// Shows a wait of ten seconds or more for `what`: on a terminal as `update`; otherwise as a line, once for each
    /// `what` since `remove`.
    void wait(const std::string& what, waiting_time time);
    /// Shows nothing while mute: in a quiet run, and in a child.
    void mute(bool is_mute) { is_mute_ = is_mute; }
    /// Ends the announcement.
    void remove();

private:
    std::FILE* console_;
    bool is_live_;
    bool is_announced_{};
    bool is_shown_{};
    bool is_mute_{};
    std::string waited_for_{};
};

/// Everything outside the program that an evaluation uses. Tests script each part.
struct system_access {
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
    std::FILE* console = stderr;         ///< receives notes that do not belong to one assertion
    std::vector<std::uint32_t> cores{};  ///< the cores that this process may run on
    void (*move_to_core)(std::uint32_t core) noexcept = perfspec::move_to_core;
    const char* (*instrumented_by)() noexcept = []() noexcept {
        return "";
    };                     ///< the instrumentation that a file of this program is compiled with; empty: none
    usage_meter* usage{};  ///< what the process uses besides the measured body; null: not observed
    device_machine*& devices = known_device_machine();  ///< null: the program has no module for devices
    bool live_console = false;  ///< whether the console is a terminal that can replace its last line
    /// If one run of a body lasts for twice as long without using a processor while an assertion of another thread
    /// waits for its turn, the body waits for that thread.
    std::chrono::nanoseconds patience_for_turn{std::chrono::seconds(10)};
};

/// This machine and this process.
[[nodiscard]] system_access real_system();

/// The measured code, the machine, and the run.
struct provenance {
    std::string commit;
    std::string branch;
    std::string run_id;
    std::string host;
    std::string started_by{};
};

/// Identifies the starter of this program by the id and start time of its parent: "4711 1834512", the same for all
/// programs of one ctest or script. A program started in a terminal has its own id and start time, because each start
/// is a separate run. Without /proc there is no start time.
[[nodiscard]] std::string starter_of(const file_system& files, int process, int parent);

/// Reads the provenance from the variables of CI systems (GitHub, GitLab, PERFSPEC_RUN_ID), and the rest from the .git
/// folder above the working directory.
[[nodiscard]] provenance read_provenance(const system_access& system);

/// Whether git sees changes in tracked files; empty if git fails. Starts a git process.
[[nodiscard]] std::optional<bool> has_uncommitted_changes(const system_access& system);

}  // namespace perfspec::inline v0_2
