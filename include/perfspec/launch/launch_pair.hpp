// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/question.hpp>
#include <perfspec/measure/coin.hpp>
#include <perfspec/process/worker.hpp>
#include <perfspec/session/sample_series.hpp>

#include <optional>
#include <string>

namespace perfspec::detail {

/// Samples of each side in a launch pair, and how many nobody looks at before them.
inline constexpr int pairs_of_launch_pair = 30;
inline constexpr int untimed_pairs_of_launch_pair = 3;

/// Path of the other build of this program: `against`, or where that is a folder, the program in it that is called as this one, at the same
/// place below this one's build folder where that is known.
[[nodiscard]] std::string reference_program(const session& context, const plan& p);

/// What the other build's suite has to be.
[[nodiscard]] own_suite own_suite_of(const session& context);

/// Whether the two builds must be measured one after the other: an option says so, or the query is no single time.
[[nodiscard]] bool one_at_a_time(const question& asked);

/// Measures both builds in a process each, in an order drawn by the coin. Nothing where the other build does not have the claim; then `head` is
/// what this build measured. What goes wrong throws measurement_failure.
struct launch_pair_outcome {
    std::optional<launch_pair> pair;
    std::optional<record> head;
};
[[nodiscard]] launch_pair_outcome take_launch_pair(const question& asked, finding& found, coin& order, bool is_first);

}  // namespace perfspec::detail
