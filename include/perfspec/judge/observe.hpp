// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// What samples show besides a verdict, and a careful reader would ask about: notes in the finding, which cost no verdict.

#include <perfspec/judge/readings.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/pair_source.hpp>
#include <perfspec/session/sample_series.hpp>

#include <span>
#include <string>
#include <vector>

namespace perfspec::detail {

/// Notes a first call that was like no later one, and work that goes on after calls have returned.
void note_calls(const question& asked, finding& found, const subject& x, const std::string& name, const subject_calibration& c);
/// The same for both sides.
void note_calls(const question& asked, finding& found, const time_ratio& r, const pair_calibration& c);

/// Notes times of a subject that rise or fall over its calls, and those that depend on which of the two subjects ran before. Where few pairs look so,
/// it takes seventy more, if that takes no longer than 0.2 s; they are no part of the series.
void note_pairs(const question& asked, finding& found, const time_ratio& r, const pair_series& series);
/// Notes times of the subject that rise or fall over its calls.
void note_blocks(const question& asked, finding& found, std::span<const timed_block> blocks);

/// The times of one side of pairs, by which side ran before each; the first sample of all has none before it.
struct times_by_order {
    std::vector<double> after_own;
    std::vector<double> after_other;

    friend bool operator==(const times_by_order&, const times_by_order&) = default;
};

/// `order`: that of the pairs in which this side ran first.
[[nodiscard]] times_by_order times_by_predecessor(std::span<const timed_pair> pairs, sample timed_pair::*side, pair_order order);

}  // namespace perfspec::detail
