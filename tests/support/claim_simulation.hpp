// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "noise.hpp"

#include <perfspec/stats/sequential.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perfspec::testing {

/// What many runs of one claim came to, in percent of them.
struct simulated_verdicts {
    double first_stage = 0;         ///< violated in the first process
    double violated = 0;            ///< and in a second one too
    double holds = 0;               ///< in the first process
    double median_to_holds = 0;     ///< pairs, of the runs that hold
    double median_to_violated = 0;  ///< pairs of both stages together, of the runs that are violated
};

[[nodiscard]] inline double median_count(std::vector<std::size_t> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return static_cast<double>(*middle);
}

/// Judges a claim in two stages, run by run; `stage(process)` is the finished test of that process, 0, 1, 2 …
template <class Stage> [[nodiscard]] simulated_verdicts judge_runs(std::size_t runs, const Stage& stage) {
    std::size_t first_stage = 0;
    std::vector<std::size_t> to_holds;
    std::vector<std::size_t> to_violated;
    for (std::size_t run = 0; run < runs; ++run) {
        const sequential first = stage(2 * run);
        if (first.decided() == decision::holds) to_holds.push_back(first.size());
        if (first.decided() != decision::violated) continue;
        ++first_stage;
        const sequential second = stage(2 * run + 1);
        if (second.decided() == decision::violated) to_violated.push_back(first.size() + second.size());
    }
    const double percent = 100 / static_cast<double>(runs);
    return {percent * static_cast<double>(first_stage), percent * static_cast<double>(to_violated.size()),
            percent * static_cast<double>(to_holds.size()), median_count(to_holds), median_count(to_violated)};
}

/// Independent draws for each process; the odd multiplier spreads neighbouring numbers over all seeds.
[[nodiscard]] inline dice dice_of_process(std::uint64_t seed, std::uint64_t process) { return dice(seed + process * 0x9e3779b97f4a7c15); }

/// A claim about a ratio under synthetic noise. The same claim gives the same figures.
struct simulated_claim {
    noise_kind kind;
    double log_distance;  ///< of the true ratio from the bound, positive inside it
    pair_order order = pair_order::random;
    sequential_settings settings = {};
    std::size_t pairs = 300;  ///< the most a stage takes
    std::size_t runs = 2000;
    std::uint64_t seed = 20;
};

[[nodiscard]] inline simulated_verdicts simulate(const simulated_claim& claim) {
    const std::uint64_t seed = claim.seed << 8 | static_cast<std::uint64_t>(claim.kind);
    return judge_runs(claim.runs, [&](std::uint64_t process) {
        auto random = dice_of_process(seed, process);
        return replay(paired_log_ratios(claim.kind, claim.pairs, claim.log_distance, claim.order, random), claim.settings);
    });
}

/// A claim about a ratio under recorded noise: a stage takes a contiguous segment from anywhere in the trace.
struct replayed_claim {
    double log_distance;
    pair_order order = pair_order::random;
    std::size_t pairs = 500;
    std::size_t runs = 2000;
    std::uint64_t seed = 20;
};

[[nodiscard]] inline simulated_verdicts simulate(const replayed_claim& claim, std::span<const double> log_samples) {
    const std::size_t length = std::min(2 * claim.pairs, log_samples.size());
    return judge_runs(claim.runs, [&](std::uint64_t process) {
        auto random = dice_of_process(claim.seed, process);
        const std::size_t start = random.below(log_samples.size() - length + 1);
        return replay(pair_slots(log_samples.subspan(start, length), claim.log_distance, claim.order, random));
    });
}

}  // namespace perfspec::testing
