// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Observations on samples that a careful reader would ask about: they become notes in the finding, and do not change
// the verdict.

#include <perfspec/judge/readings.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/pair_source.hpp>

#include <span>
#include <string>

namespace perfspec::detail {

/// Notes a first call that differs from all later ones.
void note_calls(const question& asked, finding& found, const subject& x, const std::string& name,
                const subject_calibration& c);
/// The same for both sides.
void note_calls(const question& asked, finding& found, const time_ratio& r, const pair_calibration& c);

/// Notes times of either subject that rise or fall over its calls.
void note_pairs(const question& asked, finding& found, const time_ratio& r, std::span<const timed_pair> pairs);
/// Notes times of the subject that rise or fall over its calls.
void note_blocks(const question& asked, finding& found, std::span<const timed_block> blocks);

}  // namespace perfspec::detail
