// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../tool.hpp"

#include <perfspec/report/record.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace perfspec::tool {

/// The score of a reference itself.
inline constexpr double score_of_the_reference = 1000.0;

/// How a score is computed.
struct score_request {
    double dead_band = 0.07;  ///< a change by no more than this fraction of the reference counts as none
    double required = 0.0;    ///< the least score; 0 requires none
};

/// The score of one metric, over all suites or in one of them.
struct score_row {
    std::string metric;  ///< "latency in ns"
    std::string suite;   ///< empty for all of them
    double score{};
    std::size_t keys{};
    std::size_t changed{};  ///< keys beyond the dead band
    std::size_t unclear{};  ///< of these, the keys whose interval holds "no change"
};

/// What a run scores against a reference run on the same machine.
struct suite_score {
    std::vector<score_row> rows{};      ///< for each metric all suites, then each suite where there are several; none with a fault
    std::vector<std::string> faults{};  ///< why there is no score: keys of the reference that cannot be compared
    std::vector<std::string> notes{};   ///< what has no part in it
};

/// Scores a run as TorchBench's score v2 does: 1000 times the geometric mean of how many times better each key is than in the reference.
/// Each key has the same weight, and a change within the dead band counts as none. A mean is of one metric in one unit.
///
/// The reference decides which keys count. There is no score where the run has no valid value for one of them, has it in another unit or
/// direction, or where a value is not above zero: the mean of the others would be another score. Keys that only the run has are told.
///
/// Throws input_error where the reference has no values, or is of another machine or build variant than the run.
///
/// Source: pytorch/benchmark, torchbenchmark/score.
[[nodiscard]] suite_score score_of(std::span<const record> run, std::span<const record> reference, const score_request& asked);

/// The score as a table for a console. reference: its name, "c1d2e3f of 2026-10-01".
[[nodiscard]] std::string score_console(const suite_score& score, const score_request& asked, const std::string& reference);

/// The same in GitHub's Markdown.
[[nodiscard]] std::string score_markdown(const suite_score& score, const score_request& asked, const std::string& reference);

/// Adds the exit code of a score: `unusable` where there is none, `violated` where one over all suites is less than required.
[[nodiscard]] outcome judge_score(outcome done, const suite_score& score, const score_request& asked);

}  // namespace perfspec::tool
