// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "live_workloads.hpp"

#include <perfspec/report/claim_result.hpp>

#include <array>
#include <string>

namespace perfspec::testing {

/// Whether what is claimed of the work is so.
enum class truth : std::uint8_t { inside, at_bound, beyond };

[[nodiscard]] const char* to_string(truth t) noexcept;

/// `speedup(usual, changed) > bound`, where the changed one does so many units.
struct live_claim {
    std::string_view name;
    std::size_t units;
    double bound;
    truth is;
};

/// The claims whose limits are in calibration/README.md, "perfspec_live_calibration".
inline constexpr std::array<live_claim, 9> live_claims{{{"unchanged > 1.00", 100, 1.00, truth::at_bound},
                                                        {"unchanged > 0.99", 100, 0.99, truth::inside},
                                                        {"unchanged > 0.98", 100, 0.98, truth::inside},
                                                        {"unchanged > 0.95", 100, 0.95, truth::inside},
                                                        {"2 % slower > 0.97", 102, 0.97, truth::inside},
                                                        {"1 % slower > 1.00", 101, 1.00, truth::beyond},
                                                        {"2 % slower > 0.99", 102, 0.99, truth::beyond},
                                                        {"5 % slower > 0.97", 105, 0.97, truth::beyond},
                                                        {"10 % slower > 0.95", 110, 0.95, truth::beyond}}};

/// The key of the nth evaluation of a claim on a workload.
[[nodiscard]] std::string key_of(const live_workload& workload, const live_claim& claim, std::size_t nth);

/// Judges the claim by the whole product: calibration, rounds, sequential test, and a fresh process for what is
/// violated.
[[nodiscard]] record judge_live(const live_workload& workload, const live_claim& claim, std::size_t nth);

/// In a process that repeats a violated claim: judges the one with this key, and does not return. Throws input_error
/// for a key of none.
void repeat_claim(const std::vector<live_workload>& workloads, const std::string& key);

}  // namespace perfspec::testing
