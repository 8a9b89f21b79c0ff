// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/callgrind/simulator.hpp>
#include <perfspec/judge/procedure.hpp>
#include <perfspec/language/query.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace perfspec::detail {

/// Counts instructions of single calls in fresh processes that a simulator runs.
class instruction_counter final : public module_counter {
public:
    explicit instruction_counter(simulator& by) noexcept : by_(by) {}

    [[nodiscard]] std::string fault() const override { return by_.fault(); }
    /// Lets the simulator run the command. The profiles that the process writes go with the command's belongings,
    /// unless the option `trace` asks to keep them.
    void prepare(child_command& command, const claim_context& context) const override;
    /// Throws measurement_failure for a body that starts processes, whose threads go on after it returned, or that does
    /// nothing.
    [[nodiscard]] claim_result measure(const claim_context& context) const override;
    /// The functions that moved most, or the largest ones.
    [[nodiscard]] std::vector<part_value> parts_of_violation(const claim_context& context) const override;

private:
    simulator& by_;
};

/// The query that this one counts.
[[nodiscard]] query<dimension::count, statistic::exact> instructions_of(const subject& x,
                                                                        const instruction_counter& by);

/// The processes that this one has started: a mark of those that have ended, and the number of those that live.
struct process_children {
    std::uint64_t page_faults_of_ended{};  ///< every process has some
    std::uint64_t living{};                ///< 0 where the system does not say (other than Linux)

    friend bool operator==(const process_children&, const process_children&) = default;
};

/// Reads getrusage(2) and /proc/self/task/*/children.
[[nodiscard]] process_children children_of_process();

}  // namespace perfspec::detail
