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

/// Why the values of two results of one key have no ratio: "another metric", "no ratio of this value"; empty if they
/// have one.
[[nodiscard]] std::string_view why_no_ratio(const record& before, const record& after);

/// Compares the measured values of two runs, key by key. In each file the last result of a key with a measured value
/// counts. Below the table is the geometric mean of the gains for each metric of several keys: the score of TorchBench
/// (pytorch/benchmark, torchbenchmark/score), divided by 1000 and without a dead band.
///
/// Without a threshold, the code is always `fine`. With one, 0.07 for 7 %, the code is `error` if a key is in one
/// run only, or no key was compared; else `violated` if a whole interval is beyond the threshold on either side; else
/// `open` if an interval is open, or includes a change by a factor of two or by the threshold if that is larger.
[[nodiscard]] outcome compare(const results& before, const results& after, std::optional<double> threshold);

/// Compares two machines as `compare` does two runs of one. Keys match regardless of hardware and variant. Counts of
/// the program are left out, because no machine changes them. The text names other differences: commit, build, options,
/// and what claims on baseline() record. The code is `error` if no key could be compared, else `fine`.
///
/// Throws input_error if a side has results of several machines or build variants, or if both sides are of the same
/// one.
[[nodiscard]] outcome compare_across_hardware(const results& before, const results& after);

}  // namespace perfspec::tool
