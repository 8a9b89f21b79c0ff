// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "noise.hpp"

#include <perfspec/stats/sequential.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace perfspec::testing {

/// One claim about a ratio, judged many times over under synthetic noise.
struct simulated_claim {
    noise_kind kind;
    double log_distance;  ///< of the true ratio from the bound, positive inside it
    pair_order order = pair_order::random;
    sequential_settings settings = {};
    std::size_t pairs = 300;  ///< the most a stage takes
    std::size_t runs = 2000;
    std::uint64_t seed = 20;
};

/// What the runs of a claim came to, in percent of them.
struct simulated_verdicts {
    double first_stage = 0;  ///< violated in the first process
    double violated = 0;     ///< and in a second one too
    double holds = 0;
    double median_to_holds = 0;     ///< pairs, of the runs that hold
    double median_to_violated = 0;  ///< pairs of both stages together, of the runs that are violated
};

namespace simulation_detail {

[[nodiscard]] inline sequential stage(const simulated_claim& claim, std::uint64_t process) {
    // An odd multiplier spreads neighbouring numbers over the whole seed space.
    dice random((claim.seed << 8 | static_cast<std::uint64_t>(claim.kind)) + process * 0x9e3779b97f4a7c15);
    return replay(paired_log_ratios(claim.kind, claim.pairs, claim.log_distance, claim.order, random), claim.settings);
}

[[nodiscard]] inline double median_of(std::vector<std::size_t> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return static_cast<double>(*middle);
}

}  // namespace simulation_detail

/// Judges the claim in two stages, run by run. The same claim gives the same figures.
[[nodiscard]] inline simulated_verdicts simulate(const simulated_claim& claim) {
    std::size_t first_stage = 0;
    std::vector<std::size_t> to_holds;
    std::vector<std::size_t> to_violated;
    for (std::size_t run = 0; run < claim.runs; ++run) {
        const auto first = simulation_detail::stage(claim, 2 * run);
        if (first.decided() == decision::holds) to_holds.push_back(first.size());
        if (first.decided() != decision::violated) continue;
        ++first_stage;
        const auto second = simulation_detail::stage(claim, 2 * run + 1);
        if (second.decided() == decision::violated) to_violated.push_back(first.size() + second.size());
    }
    const double percent = 100 / static_cast<double>(claim.runs);
    return {percent * static_cast<double>(first_stage), percent * static_cast<double>(to_violated.size()),
            percent * static_cast<double>(to_holds.size()), simulation_detail::median_of(to_holds),
            simulation_detail::median_of(to_violated)};
}

}  // namespace perfspec::testing
