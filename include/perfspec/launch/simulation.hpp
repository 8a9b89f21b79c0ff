// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/question.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/report/finding.hpp>

#include <string>
#include <vector>

namespace perfspec::detail {

/// How many processes have to agree before a simulated count is compared exactly: so many that a body which takes one
/// of two ways by chance in each process is mistaken for one that repeats at most at the rate `false_pass`, and three
/// at least. Five at the default rate, 1/2^5 < 5 %.
[[nodiscard]] std::size_t simulations_that_agree(const plan& p);

/// Whether all values are the same.
[[nodiscard]] bool do_agree(const std::vector<double>& values);

/// Why this claim's counts cannot be simulated here, and what to do about it; empty where they can.
[[nodiscard]] std::string reason_not_to_simulate(const surroundings& around);

/// The files of one simulated process. Removes what the process left when this object is destroyed, unless the option
/// `trace` asks to keep it.
class simulation_files {
public:
    explicit simulation_files(const question& asked);
    simulation_files(const simulation_files&) = delete;
    simulation_files& operator=(const simulation_files&) = delete;
    ~simulation_files();

    /// What the paths of all profiles begin with. Empty for a claim that is not simulated.
    [[nodiscard]] const std::string& profiles() const noexcept { return profiles_; }
    [[nodiscard]] bool are_kept() const noexcept { return are_kept_; }

private:
    file_system& files_;
    std::string profiles_;
    bool are_kept_{};
};

/// Makes the command run on the simulated processor. Does nothing for a claim that is not simulated.
void simulate(child_command& command, const question& asked, const simulation_files& files);

/// Counts single calls of this process's subject: what a simulated process answers. Throws measurement_failure for a
/// body that starts processes, whose threads go on after it returned, or that does nothing.
void measure_simulated(const question& asked, finding& found);

/// The functions that count most, the largest first: the few that a reader looks at.
[[nodiscard]] std::vector<part_value> largest_functions(std::vector<part_value> parts);

/// The functions whose counts differ most, the largest difference first: what they count now, and in words what they
/// did before.
[[nodiscard]] std::vector<part_value> moved_functions(const std::vector<part_value>& before,
                                                      const std::vector<part_value>& now);

}  // namespace perfspec::detail
