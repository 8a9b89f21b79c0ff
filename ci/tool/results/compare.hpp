// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "results.hpp"

#include <perfspec/report/claim_result.hpp>

#include <map>
#include <optional>
#include <string_view>

namespace perfspec::tool {

/// The last result with a measured value of each key. The results must outlive it.
using measured_keys = std::map<entry_address, const record*>;
[[nodiscard]] measured_keys measured_keys_of(const results& all);

/// Why the values of two results of one key have no ratio: "another metric", "no ratio of this value"; empty where they
/// have one.
[[nodiscard]] std::string_view why_no_ratio(const record& before, const record& after);

/// Compares the measured values of two runs, key by key. In each file the last result of a key with a measured value
/// counts. For each metric that several keys have, the geometric mean of how many times better they are stands below the
/// table: the score of TorchBench (pytorch/benchmark, torchbenchmark/score), divided by 1000 and without a dead band.
///
/// With a threshold, 0.07 for 7 %, the code is `violated` where a whole interval is beyond it on either side. Else it is
/// `undecided` where an interval shows nothing: it has no end on a side, or holds a change by a factor of two (by more
/// than the threshold, where that is larger). It is `unusable` where a key of either run has nothing to compare with,
/// or nothing was compared. Without a threshold, the code is always `holds`.
[[nodiscard]] outcome compare(const results& before, const results& after, std::optional<double> threshold);

/// Compares two machines as `compare` does two runs of one: keys belong together whatever their hardware and variant.
/// Counts of the program, which no machine changes, are left out. The text says what else than the hardware differs:
/// commit, build, options, and what claims on baseline() record.
///
/// The code is `holds`, or `unusable` where no key could be compared.
///
/// Throws input_error where the results of a side are of several machines or build variants, and where both are of the
/// same one.
[[nodiscard]] outcome compare_across_hardware(const results& before, const results& after);

}  // namespace perfspec::tool
