// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "noise.hpp"

#include <perfspec/stats/sequential.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perfspec::testing {

/// Whether the interval of a result contains the true value, and the bound.
struct figure_check {
    bool has_interval = false;  ///< the process decided
    bool covers = false;        ///< the long-run value of the process
    bool contradicts = false;   ///< the bound of its decided claim
};

/// The result of one process.
struct stage_result {
    decision decided = decision::none;
    std::size_t units = 0;    ///< pairs, blocks or processes that it took
    double milliseconds = 0;  ///< on the simulated machine
    figure_check figure{};
};

/// One run of a claim.
struct run_result {
    decision first_stage = decision::none;
    decision confirmed = decision::none;  ///< violated only if the second process agrees
    std::size_t units = 0;                ///< of both stages together
    double milliseconds = 0;
    figure_check figure{};  ///< of the first process
};

/// Judges a claim run by run. `stage(run, nth)` returns the result of the first (nth 0) or the second process (1) of a
/// run. The second is called only where the first is violated, and never with stages::one.
template <class Stage>
[[nodiscard]] std::vector<run_result> judge_runs(std::size_t runs, stages confirm, const Stage& stage) {
    std::vector<run_result> results;
    results.reserve(runs);
    for (std::size_t run = 0; run < runs; ++run) {
        const stage_result first = stage(run, std::size_t{0});
        run_result result{first.decided, first.decided, first.units, first.milliseconds, first.figure};
        if (confirm == stages::two && first.decided == decision::violated) {
            const stage_result second = stage(run, std::size_t{1});
            if (second.decided != decision::violated) result.confirmed = decision::none;
            result.units += second.units;
            result.milliseconds += second.milliseconds;
        }
        results.push_back(result);
    }
    return results;
}

/// Independent draws for each process; the odd multiplier spreads neighboring numbers over all seeds.
[[nodiscard]] inline dice dice_of_process(std::uint64_t seed, std::uint64_t process) {
    return dice(seed + process * 0x9e3779b97f4a7c15);
}

}  // namespace perfspec::testing
