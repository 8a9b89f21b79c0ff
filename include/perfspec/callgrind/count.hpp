// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/modules.hpp>
#include <perfspec/language/query.hpp>
#include <perfspec/plan/environment.hpp>
#include <perfspec/procedures/procedure.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::inline v0_2 {

/// A program that runs another one on a simulated processor, and counts what happens there. A seam: tests script it.
class simulator {
public:
    simulator() = default;
    simulator(const simulator&) = delete;
    simulator& operator=(const simulator&) = delete;
    virtual ~simulator() = default;

    /// Why no program can be simulated here, and what to do; empty if one can.
    [[nodiscard]] virtual std::string fault() const = 0;
    /// The command that simulates the program whose command follows it. The first word is a path. Profiles are written
    /// to `profiles` with ".1", ".2" and so on, and at the end of the program to `profiles` itself.
    [[nodiscard]] virtual std::vector<std::string> command(const std::string& profiles) const = 0;

    // For the simulated program:

    /// Whether this process is simulated.
    [[nodiscard]] virtual bool is_running() const noexcept = 0;
    /// Begins to count, in all threads, until `end`. The program is slow in between.
    virtual void begin() noexcept = 0;
    virtual void end() noexcept = 0;
    /// Resets the counts.
    virtual void forget() noexcept = 0;
    /// Writes the next profile, with the counts since `forget`.
    virtual void write_profile() noexcept = 0;
};

/// Valgrind's tool callgrind, as PATH finds it. It counts only if this library was compiled with Valgrind's header.
/// Source: Weidendorfer, Kowarschik, Trinitis, "A tool suite for simulation based analysis of memory access behavior"
/// (ICCS 2004).
[[nodiscard]] std::unique_ptr<simulator> callgrind(const environment& variables);

/// The instructions of a simulated processor.
struct simulated_profile {
    std::uint64_t total{};
    std::map<std::string, std::uint64_t> functions{};  ///< within the function itself, without those that it calls

    friend bool operator==(const simulated_profile&, const simulated_profile&) = default;
};

/// Reads a profile in callgrind's format (Valgrind manual, "Callgrind format specification"), with uncompressed names
/// and positions, and instructions as the first event. Throws input_error for any other or truncated text.
[[nodiscard]] simulated_profile parse_profile(std::string_view text);

}  // namespace perfspec::inline v0_2

namespace perfspec::inline v0_2::detail {

/// Counts instructions of single calls in fresh processes that a simulator runs.
class instruction_counter final : public module_metric {
public:
    explicit instruction_counter(simulator& machine) noexcept : machine_(machine) {}

    [[nodiscard]] std::string fault(const claim_context&) const override { return machine_.fault(); }
    /// Lets the simulator run the command. The command's belongings remove the profiles, unless the option `trace`
    /// keeps them.
    void prepare(child_command& command, const claim_context& context) const override;
    /// Throws measurement_failure for a body that starts processes, does nothing, or whose threads go on after it.
    [[nodiscard]] claim_result measure(const claim_context& context) const override;
    /// The functions whose counts changed most, or the largest ones.
    [[nodiscard]] std::vector<part_value> parts_of_violation(const claim_context& context) const override;

private:
    simulator& machine_;
};

/// The query for the instructions of x.
[[nodiscard]] query<dimension::count, statistic::exact> instructions_of(const subject& x,
                                                                        const instruction_counter& machine);

/// The child processes of this one: a mark of those that have ended, and the number of those that live.
struct process_children {
    std::uint64_t page_faults_of_ended{};  ///< every process has some
    std::uint64_t living{};                ///< 0 on systems other than Linux

    friend bool operator==(const process_children&, const process_children&) = default;
};

/// Reads getrusage(2) and /proc/self/task/*/children.
[[nodiscard]] process_children children_of_process();

}  // namespace perfspec::inline v0_2::detail
