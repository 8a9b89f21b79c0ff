// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/claim_context.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/process/workers/worker.hpp>
#include <perfspec/session/sample_series.hpp>

#include <optional>
#include <string>

namespace perfspec::detail {

/// Samples of each side in a launch pair, and how many are discarded before them.
inline constexpr int pairs_of_launch_pair = 30;
inline constexpr int untimed_pairs_of_launch_pair = 3;

/// The path of the other build of this program: `against`, or where that is a folder, the program in it with this one's
/// name. Where this program's build folder is known, the other program is at the same place below `against`.
[[nodiscard]] std::string reference_program(const session& run, const plan& p);

/// The suite that the other build must have.
[[nodiscard]] own_suite own_suite_of(const session& run);

/// Whether the two builds must be measured one after the other: the query is not a single time.
[[nodiscard]] bool one_at_a_time(const claim_context& context);

/// The result of a launch pair: each build measured in its own process.
/// `pair` is empty where the other build does not have the claim; then `head` is the record of this build.
/// A failure throws measurement_failure.
struct launch_pair_outcome {
    std::optional<launch_pair> pair;
    std::optional<record> head;
};
/// Both builds are in memory, and take samples in turn.
[[nodiscard]] launch_pair_outcome take_launch_pair(const claim_context& context, claim_result& result,
                                                   random_order& order, bool is_first);
/// One build after the other, in an order drawn by a coin, each like one launch of a baseline.
[[nodiscard]] launch_pair_outcome take_alternating_pair(const claim_context& context, claim_result& result,
                                                        random_order& order);

}  // namespace perfspec::detail
