// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/baseline/fingerprint/fingerprint.hpp>
#include <perfspec/baseline/fingerprint/linked_library.hpp>
#include <perfspec/baseline/project_file.hpp>
#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/measure/machine/machine_lock.hpp>
#include <perfspec/plan/option_table.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/process/child.hpp>
#include <perfspec/report/claim_result.hpp>
#include <perfspec/report/console/console.hpp>
#include <perfspec/session/host.hpp>
#include <perfspec/session/key_census.hpp>
#include <perfspec/session/system_access.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {

/// The build's facts about a test program (`project_paths.hpp`); empty if unknown.
struct project_facts {
    std::string suite;
    std::string baselines;
    std::string build;
    std::string prefix;  ///< of the names of ctest's tests
};

/// The state that the assertions of one run share: options, counts and records.
class session {
public:
    explicit session(const system_access& system);

    [[nodiscard]] const system_access& system() const noexcept { return system_; }
    [[nodiscard]] const std::optional<child_request>& child() const noexcept { return child_; }
    /// Makes this process the requested child (`process/child.hpp`). Precondition: there is a request. Throws
    /// input_error.
    void become_child();
    /// Copies the child state of the process's own session, because the pipes have moved since the start.
    void share_child_of(const session& own) { child_ = own.child_; }

    /// Sets an option of the command line. Throws input_error if its text does not parse.
    void set_option(option_id id, const std::string& text);
    /// Throws input_error as `resolve` does, and for a project file that cannot be used.
    [[nodiscard]] plan resolve_plan(std::span<const option> at_call) const;
    /// The project file, read at the first call. Empty in a child, whose plan has the options. Throws input_error as
    /// `resolve_plan` does.
    [[nodiscard]] const project_settings& settings() const;
    /// The origins of that plan's values (`option_origins`).
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> origins(std::span<const option> at_call) const;

    void set_project(project_facts facts);
    [[nodiscard]] const project_facts& project() const noexcept { return project_; }
    /// The name of the suite: that of the project, or the program's file name.
    [[nodiscard]] std::string suite() const;
    [[nodiscard]] baseline_paths paths(const plan& p) const;
    /// How this program's file compares with another one. Cached.
    [[nodiscard]] binary_identity identity_of_program(const std::string& other);

    /// Notes `--perf-doctor`, for parsers other than `split_options`.
    void request_doctor() noexcept { doctor_requested_ = true; }
    [[nodiscard]] bool doctor_requested() const noexcept { return doctor_requested_; }

    /// The part of its test cases that this program runs, "1 of 4"; empty: all of them.
    void set_shard(std::string shard) { shard_ = std::move(shard); }
    [[nodiscard]] const std::string& shard() const noexcept { return shard_; }

    /// Sets the arguments of the program, if no host knows how to start it again.
    void set_arguments(std::vector<std::string> arguments) { arguments_ = std::move(arguments); }
    void add_child_argument(std::string argument) { extra_arguments_.push_back(std::move(argument)); }
    [[nodiscard]] const std::optional<std::vector<std::string>>& arguments() const noexcept { return arguments_; }
    [[nodiscard]] const std::vector<std::string>& extra_arguments() const noexcept { return extra_arguments_; }

    /// Notes that an assertion is evaluated at `where`. Drops the keys of an earlier pass of its test case.
    void enter(const test_position& where);

    /// Notes that the current evaluation measures in this process.
    void note_measuring() noexcept { measures_ = true; }
    /// Whether an earlier evaluation of this pass of the test case did.
    [[nodiscard]] bool has_measured_before() const noexcept { return has_measured_; }

    /// The number of earlier evaluations of this key in this process. Counts this one.
    unsigned next_occurrence(const std::string& key) { return occurrences_[key]++; }
    /// For hosts that start a fresh process for one pass of a test case, so the claims of other passes do not count.
    void forget_occurrences() { occurrences_.clear(); }
    [[nodiscard]] key_census& keys_in_use() noexcept { return keys_; }

    /// The content of a store's file, read once per run so that all claims of a suite use the same content, and again
    /// after this process recorded into it.
    [[nodiscard]] const baseline_snapshot& stored_in(const baseline_store& store);

    /// Notes for `has_recorded` that this process wrote its processes of a key into a baseline file.
    void note_recorded(const std::string& file, const std::string& key);
    [[nodiscard]] bool has_recorded(const std::string& file, const std::string& key) const {
        return recorded_.contains({file, key});
    }

    /// Notes that a failed PERF_REQUIRE left this test case.
    void leave(const std::string& test, claim_address at);
    /// The claims at which this process, or the parent of a child, left that test case.
    [[nodiscard]] std::vector<claim_address> abandoned_claims_in(const std::string& test) const;

    [[nodiscard]] const clock_facts& facts_of(clock& c);
    [[nodiscard]] const std::string& hardware_key();
    /// The facts about a device of subjects, "accelerator:0". Cached.
    [[nodiscard]] const device_facts& device(const std::string& device);
    /// The fingerprint of the machine. `use` selects whether it includes the libraries of devices. The flags are empty
    /// if the build did not register them.
    [[nodiscard]] const fingerprint& machine(library_use use);
    void set_compile_flags(std::string flags) { compile_flags_ = std::move(flags); }
    [[nodiscard]] const std::string& compile_flags() const noexcept { return compile_flags_; }
    void set_built_commit(std::string commit) { built_commit_ = std::move(commit); }
    /// The commit of the sources of this program; empty if the build did not register it.
    [[nodiscard]] const std::string& built_commit() const { return built_commit_; }
    [[nodiscard]] const provenance& origin();
    /// Whether the working tree differs from the commit. Cached. False if the commit is unknown or git fails.
    [[nodiscard]] bool has_uncommitted_changes();

    [[nodiscard]] lock_memory& locks() noexcept { return locks_; }

    /// Processor time that the other threads of this process had used before the current claim began to measure.
    [[nodiscard]] std::int64_t others_cpu_before_claim_ns() const noexcept { return others_cpu_before_claim_ns_; }
    void note_others_cpu_before_claim(std::int64_t ns) noexcept { others_cpu_before_claim_ns_ = ns; }

    /// Registers a test case's note about this subject. Returns whether it is the first one.
    [[nodiscard]] bool is_first_note(const std::string& test, const std::string& about) {
        return noted_.insert({test, about}).second;
    }

    /// The progress of the current claim.
    [[nodiscard]] status_line& status() noexcept { return status_; }

    /// Prints a line, but each line only once.
    void log_once(const std::string& line);

    /// Whether the option `only` leaves out an assertion with these axes. Counts those that it does.
    [[nodiscard]] bool leaves_out(const plan& p, const std::vector<std::pair<std::string, std::string>>& axes) {
        const bool is_left_out = perfspec::leaves_out(p, axes);
        if (is_left_out) ++left_out_;
        return is_left_out;
    }
    /// Adds a record. Writes an annotation for it if GITHUB_ACTIONS is true.
    void add(const record& r);
    [[nodiscard]] std::span<const record> records() const noexcept { return records_; }
    /// The summary of the run. Empty without assertions and in a child; with `quiet`, unless options left out
    /// everything.
    [[nodiscard]] std::string summary(console_color color = console_color::never) const;
    /// Whether an assertion has failed its test.
    [[nodiscard]] bool any_failed() const noexcept;
    /// Whether an assertion failed outside of test cases, which no test framework counts. Ignores `evaluate`.
    [[nodiscard]] bool any_failed_outside_of_tests() const noexcept;
    /// Why the run is skipped if nothing failed: "no claim was judged", unless the user requested that,
    /// or the keys of claims that look violated. Empty if it is not.
    [[nodiscard]] std::string reason_of_skip() const;
    /// Maps the exit code of a host. 0 becomes 77 if there is a reason to skip.
    [[nodiscard]] int exit_code(int host_code) const noexcept;

private:
    system_access system_;
    std::optional<child_request> child_;
    option_values options_;
    project_facts project_;
    mutable std::optional<project_settings> project_settings_;
    std::string shard_;
    std::optional<std::vector<std::string>> arguments_;
    std::vector<std::string> extra_arguments_;
    std::string pass_;
    bool measures_{};
    bool has_measured_{};
    std::map<std::string, unsigned> occurrences_;
    key_census keys_;
    std::set<std::pair<std::string, std::string>> recorded_;  ///< file and key
    std::map<std::string, baseline_snapshot> stored_;         ///< by file
    std::string abandoned_in_test_;
    std::vector<claim_address> abandoned_claims_;
    std::map<clock*, clock_facts> clock_facts_;
    std::optional<std::string> hardware_key_;
    std::map<std::string, device_facts> devices_;
    std::map<std::string, binary_identity> identities_;
    std::map<library_use, fingerprint> machines_;
    std::string compile_flags_;
    std::string built_commit_;
    std::optional<provenance> origin_;
    std::optional<bool> dirty_;
    std::set<std::pair<std::string, std::string>> noted_;  ///< test case and subject
    std::set<std::string> logged_;
    status_line status_{system_.console, system_.live_console};
    lock_memory locks_;
    std::int64_t others_cpu_before_claim_ns_{};
    std::vector<record> records_;
    std::size_t left_out_{};
    bool doctor_requested_{};
};

/// The session of this process, on `real_system()`.
[[nodiscard]] session& this_session();

namespace detail {

/// Makes a path absolute, because it is read or pasted in another folder. A relative path begins at the working
/// directory in which this program was started.
[[nodiscard]] std::string absolute_path(const session& run, const std::string& path);

}  // namespace detail
}  // namespace perfspec::inline v0_2
