// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/claim_context.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/process/workers/worker.hpp>
#include <perfspec/session/session.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

/// What taking a launch pair gave.
struct launch_pair_outcome {
    std::optional<launch_pair> pair{};
    std::optional<record> head{};  ///< of this build, where the other one lacks the claim
    disturbances disturbed{};      ///< in the processes
};

/// The launch pairs of a claim, one after the other: each build measured in its own process.
class launch_pair_source {
public:
    /// series  the pairs of this claim so far: none yet, unless one side of its tolerance was judged
    launch_pair_source(const claim_context& context, reference_series& series, std::uint64_t seed)
        : context_(context), series_(series), order_(seed) {}

    /// The next launch pair: one that the other side of the tolerance took, else a fresh one. Null where the other build
    /// does not have the claim; then the series has the record of this build. A failure throws measurement_failure.
    [[nodiscard]] const launch_pair* next();

    [[nodiscard]] double seconds() const noexcept { return seen_.evidence.seconds; }
    /// The first ones of those that it has given.
    [[nodiscard]] std::vector<launch_pair> first(std::size_t count) const {
        return {series_.pairs.begin(), series_.pairs.begin() + static_cast<std::ptrdiff_t>(count)};
    }
    /// What they have shown beside their values: their cost, disturbances and notes.
    [[nodiscard]] const claim_result& seen() const noexcept { return seen_; }

private:
    /// Both builds are in memory, and take samples in turn. Where they do not fit into it together, one runs after the
    /// other, from the first pair on.
    [[nodiscard]] launch_pair_outcome take();
    /// One build after the other, in an order drawn by a coin, each like one launch of a baseline.
    [[nodiscard]] launch_pair_outcome take_alternating();

    const claim_context& context_;
    reference_series& series_;
    random_order order_;
    claim_result seen_;
};

/// A claim takes more launch pairs than the usual twenty where they are cheap (stats/README.md, "Launch pairs").
/// Processes of one build can differ by several percent for as long as they live, and then twenty pairs show nothing.
/// The sequential test may go on at the same error rates, until max_launch_pairs or the patience.
inline constexpr std::size_t max_launch_pairs = 200;
inline constexpr double patience_ns = 10e9;

/// How long they may take altogether.
[[nodiscard]] double longest_ns(const claim_context& context);

/// How many launch pairs a claim may take where one takes one_ns: twenty, or more where they fit into the patience or a
/// given budget.
[[nodiscard]] std::size_t max_pairs_of(const claim_context& context, double one_ns);

/// Throws measurement_failure where the fewest launch pairs for a verdict do not fit into the cap or a given budget.
/// The text says what to allow. one_ns is the time of one pair.
void require_launch_pairs_fit(const claim_context& context, double one_ns);

}  // namespace perfspec::detail
