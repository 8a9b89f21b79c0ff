// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/file_system.hpp>
#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/machine/disturbance.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/session/system_access.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace perfspec::inline v0_2 {

/// fine: no change needed. improvable: measurements suffer, and the advice helps. unknown: this machine does not report
/// it.
enum class concern : std::uint8_t { fine, improvable, unknown };

/// One property of a machine that affects measurements.
struct machine_finding {
    concern level{concern::unknown};
    std::string what;    ///< "governor"
    std::string seen;    ///< "powersave"
    std::string advice;  ///< a command or a request to an administrator; empty if fine

    friend bool operator==(const machine_finding&, const machine_finding&) = default;
};

/// The lines of a finding, as the doctor prints them.
[[nodiscard]] std::string finding_lines(const machine_finding& finding);

/// The disturbances on the machine while the doctor measured.
struct observed_disturbance {
    double load_before{};       ///< one-minute load average before the doctor itself was a load
    machine_counters during{};  ///< differences, except for the number of cores
    double seconds{};
};

/// Examines the governor, turbo, idle states, SMT, isolated cores, address randomization and container limits. Linux
/// reports them in /sys and /proc. Examines also the observed load and stolen time. Does not change the machine.
[[nodiscard]] std::vector<machine_finding> examine_machine(const file_system& files,
                                                           const observed_disturbance& observed);

/// The budgets of the doctor's results.
inline constexpr std::array<std::chrono::milliseconds, 3> doctor_budgets{
    std::chrono::milliseconds{100}, std::chrono::seconds{1}, std::chrono::seconds{10}};

/// The result of comparing a body with itself.
struct self_comparison_result {
    std::string body;
    double body_ns{};
    std::size_t pairs{};  ///< pairs taken
    std::array<double, doctor_budgets.size()>
        slowdowns{};  ///< by budget: smallest slowdown that 95 of 100 claims detect; NaN: fewer than ten pairs
};

/// Compares a body with itself in pairs of random order, and judges the recording as claims of each budget by the
/// plan's rates and margin. The recording has twice the pairs of the longest budget, so the two stages of a claim share
/// no pairs. After `longest` it ends early, and claims use at most half of it. Throws measurement_failure as
/// calibrate_pair does.
[[nodiscard]] self_comparison_result compare_with_itself(const subject& body, const plan& p,
                                                         std::chrono::nanoseconds longest, std::uint64_t seed,
                                                         const clocks& time);

/// The doctor's findings.
struct doctor_report {
    std::string hardware_key;
    std::string skipped;  ///< why claims are skipped in this build or process; empty if they are
    plan settings;
    std::vector<machine_finding> machine;
    std::vector<self_comparison_result> results;
    std::string devices{};  ///< the printed report of the module for devices
};

/// The text that `--perf-doctor` prints.
[[nodiscard]] std::string render_doctor(const doctor_report& report);

/// Examines the machine and its devices and compares bodies with themselves, under the machine's lock. Takes about half
/// a minute. Fills `machine`, `results` and `devices`.
void examine(doctor_report& report, const system_access& system,
             std::chrono::nanoseconds longest = std::chrono::seconds{25});

}  // namespace perfspec::inline v0_2
