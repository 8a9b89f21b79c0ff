// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Observations on samples that a careful reader would ask about: they become notes in the finding, and do not change the verdict.

#include <perfspec/judge/readings.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/pair_source.hpp>
#include <perfspec/session/sample_series.hpp>

#include <span>
#include <string>
#include <vector>

namespace perfspec::detail {

/// Notes a first call that differs from all later ones.
void note_calls(const question& asked, finding& found, const subject& x, const std::string& name, const subject_calibration& c);
/// The same for both sides.
void note_calls(const question& asked, finding& found, const time_ratio& r, const pair_calibration& c);

/// Notes times of a subject that rise or fall over its calls, and times that depend on which of the two subjects ran before.
/// Where the subjects are in different processes, notes what their turns cost. Where few pairs look like that, or processes take turns, takes up to seventy
/// more pairs, of 0.6 s in all. Those do not become part of the series.
void note_pairs(const question& asked, finding& found, const time_ratio& r, const pair_series& series);
/// Notes times of the subject that rise or fall over its calls.
void note_blocks(const question& asked, finding& found, std::span<const timed_block> blocks);

/// The times of one side of pairs, by the side that ran before each. The very first sample is left out: no side ran before it.
struct times_by_order {
    std::vector<double> after_own;
    std::vector<double> after_other;

    friend bool operator==(const times_by_order&, const times_by_order&) = default;
};

/// order  the order of the pairs in which this side ran first
[[nodiscard]] times_by_order times_by_predecessor(std::span<const timed_pair> pairs, sample timed_pair::*side, pair_order order);

}  // namespace perfspec::detail
