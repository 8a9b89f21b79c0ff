// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subject.hpp>
#include <perfspec/run/machine_findings.hpp>
#include <perfspec/run/surroundings.hpp>
#include <perfspec/stats/smallest_effect.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace perfspec {

/// The budgets that the doctor answers for.
inline constexpr std::array<std::chrono::milliseconds, 3> doctor_budgets{std::chrono::milliseconds{100}, std::chrono::seconds{1},
                                                                         std::chrono::seconds{10}};

/// What comparing a body with itself came to.
struct self_comparison_result {
    std::string body;
    double body_ns{};
    std::size_t pairs{};  ///< taken
    std::array<double, doctor_budgets.size()>
        found{};                 ///< smallest slowdown found in 95 of 100 claims, in each budget; NaN: fewer than ten pairs
    alarm_rates false_alarms{};  ///< at the bound, in the budget of a second

    friend bool operator==(const self_comparison_result&, const self_comparison_result&) = default;
};

/// A body for the doctor, called by what it is.
struct doctor_body {
    std::string name;
    subject body;
};

/// Arithmetic of about 20 us and of a millisecond, and a sweep over 64 MiB.
[[nodiscard]] std::vector<doctor_body> doctor_bodies(clock& wall);

/// Compares a body with itself for so long, in pairs of random order, and judges the recording as claims of each budget.
/// Throws measurement_failure as calibrate_pair does.
[[nodiscard]] self_comparison_result compare_with_itself(const doctor_body& body, std::chrono::nanoseconds length, std::uint64_t seed,
                                                         const clocks& time);

/// What `--perf-doctor` prints.
[[nodiscard]] std::string render_doctor(const std::string& hardware_key, const std::vector<machine_finding>& machine,
                                        const std::vector<self_comparison_result>& results);

/// Examines the machine and compares bodies with themselves, under the machine's lock; about half a minute.
[[nodiscard]] std::string run_doctor(const surroundings& around, const std::string& hardware_key,
                                     std::chrono::nanoseconds length_of_each = std::chrono::seconds{8});

}  // namespace perfspec
