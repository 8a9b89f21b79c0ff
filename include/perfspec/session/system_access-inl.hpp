// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/block_source.hpp>
#include <perfspec/plan/environment.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/session/build_kind.hpp>
#include <perfspec/session/system_access.hpp>

#include <fmt/chrono.h>

#include <array>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <initializer_list>
#include <iterator>
#include <sstream>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {
namespace detail {

inline std::string first_set(const environment& variables, std::initializer_list<const char*> names) {
    for (const char* name : names) {
        if (const auto value = variables.get(name); value && !value->empty()) return *value;
    }
    return {};
}

inline std::string first_line(const file_system& files, const std::filesystem::path& path) {
    const file_text read = files.read(path.string(), 1U << 20);
    return read.outcome == read_outcome::complete ? read.text.substr(0, read.text.find('\n')) : std::string{};
}

/// The .git folder of a checkout or worktree, at or above `start`; empty if there is none.
inline std::filesystem::path git_folder(const file_system& files, std::filesystem::path start) {
    for (;; start = start.parent_path()) {
        const std::filesystem::path git = start / ".git";
        if (files.is_folder(git.string())) return git;
        const std::string link = first_line(files, git);
        if (link.starts_with("gitdir: ")) return start / link.substr(8);
        if (start == start.parent_path()) return {};
    }
}

inline std::string packed_commit(const file_system& files, const std::filesystem::path& git, const std::string& ref) {
    const file_text packed = files.read((git / "packed-refs").string(), 64U << 20);
    const std::size_t at = packed.text.find(" " + ref + "\n");
    return at == std::string::npos || at < 40 ? std::string{} : packed.text.substr(at - 40, 40);
}

inline void read_git(const file_system& files, const std::string& working_directory, provenance& p) {
    const std::filesystem::path git = git_folder(files, working_directory);
    if (git.empty()) return;
    const std::string head = first_line(files, git / "HEAD");
    if (!head.starts_with("ref: ")) {
        if (p.commit.empty()) p.commit = head;
        return;
    }
    const std::string ref = head.substr(5);
    const std::string common = first_line(files, git / "commondir");
    const std::filesystem::path shared = common.empty() ? git : git / common;
    if (p.commit.empty()) p.commit = first_line(files, shared / ref);
    if (p.commit.empty()) p.commit = packed_commit(files, shared, ref);
    constexpr std::string_view heads = "refs/heads/";
    if (p.branch.empty() && ref.starts_with(heads)) p.branch = ref.substr(heads.size());
}

/// The fields of /proc/<id>/stat (proc_pid_stat(5)) from the third on, because the second one may contain blanks.
inline std::vector<std::string> stat_fields(const file_system& files, int process) {
    const std::string line = first_line(files, "/proc/" + std::to_string(process) + "/stat");
    const std::size_t name_end = line.rfind(')');
    std::istringstream rest(name_end == std::string::npos ? std::string{} : line.substr(name_end + 1));
    return {std::istream_iterator<std::string>(rest), {}};
}

/// The id of the run. On GitHub a job that runs again keeps its id, so the number of the attempt is added. GitLab has
/// no such number; `perfspec merge` refuses results of both attempts.
inline std::string run_id_of(const environment& variables) {
    std::string id = first_set(variables, {"PERFSPEC_RUN_ID", "GITHUB_RUN_ID", "CI_PIPELINE_ID"});
    const std::string attempt = first_set(variables, {"GITHUB_RUN_ATTEMPT"});
    const bool is_repeated = !attempt.empty() && attempt != "1" && first_set(variables, {"PERFSPEC_RUN_ID"}).empty();
    return is_repeated ? id + "-" + attempt : id;
}

}  // namespace detail

std::string starter_of(const file_system& files, int process, int parent) {
    constexpr std::size_t session = 3;
    constexpr std::size_t terminal = 4;
    constexpr std::size_t start = 19;
    const std::vector<std::string> of_parent = detail::stat_fields(files, parent);
    if (of_parent.size() <= start) return std::to_string(parent);
    const bool is_shell_of_a_terminal = of_parent[session] == std::to_string(parent) && of_parent[terminal] != "0";
    if (!is_shell_of_a_terminal) return std::to_string(parent) + " " + of_parent[start];
    const std::vector<std::string> own = detail::stat_fields(files, process);
    return std::to_string(process) + " " + (own.size() <= start ? "" : own[start]);
}

provenance read_provenance(const system_access& system) {
    provenance p;
    p.commit = detail::first_set(system.variables, {"GITHUB_SHA", "CI_COMMIT_SHA"});
    p.branch = detail::first_set(system.variables, {"GITHUB_HEAD_REF", "GITHUB_REF_NAME", "CI_COMMIT_REF_NAME"});
    p.run_id = detail::run_id_of(system.variables);
    p.started_by = starter_of(system.files, getpid(), getppid());
    if (!system.start.working_directory.empty()) detail::read_git(system.files, system.start.working_directory, p);
    std::array<char, 256> name{};
    if (gethostname(name.data(), name.size() - 1) == 0) p.host = name.data();
    return p;
}

std::optional<bool> has_uncommitted_changes(const system_access& system) {
    // Without the lock of the index, which a commit of the user may want at this moment, and without git's warnings.
    const child_end end = system.launcher.run(
        {.executable = "/bin/sh",
         .arguments = {"-c", "exec git --no-optional-locks status --porcelain --untracked-files=no 2>/dev/null"},
         .environment = system.start.environment,
         .working_directory = system.start.working_directory,
         .time_out = std::chrono::seconds(10)},
        {});
    if (end.how != child_outcome::exited || end.code != 0) return {};
    return !end.last_words.empty();
}

namespace detail {

/// One line that fits into a terminal of 80 columns, because only one line can be erased. Names in it cannot control
/// the terminal.
inline std::string for_one_line(const std::string& text) { return shortened(single_line("perfspec: " + text), 78); }

/// Moves to the first column and erases the line (ECMA-48: CR, EL).
inline constexpr const char* empty_line = "\r\x1b[K";

}  // namespace detail

void status_line::announce(const std::string& text) {
    if (is_mute_ || is_announced_) return;
    is_announced_ = true;
    if (is_live_) return update(text);
    std::fprintf(console_, "perfspec: %s\n", detail::single_line(text).c_str());
}

void status_line::update(const std::string& text) {
    if (is_mute_ || !is_live_) return;
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

inline std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

}  // namespace detail

system_access real_system() {
    // Never destroyed, because destructors of statics may assert; nor are the counters and the meter below.
    static auto& variables = *new program_start_environment;
    static auto& files = *new posix_file_system;
    static auto& wall = *new monotonic_clock;
    static auto& cpu = *new process_cpu_clock;
    static auto& rest = *new thread_sleeper;
    static auto& launcher = *new posix_launcher;
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
            detail::instrumentation_of_program,
            &process_usage(),
            known_device_machine(),
            is_terminal(stderr) && variables.get("TERM") != "dumb"};
}

}  // namespace perfspec::inline v0_2
