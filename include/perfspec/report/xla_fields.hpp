// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/json_write.hpp>
#include <perfspec/report/record.hpp>

namespace perfspec::detail {

/// The subject that a record makes a statement about: the numerator of a ratio that should be small, the denominator of a speedup, the only one
/// of any other query. Null without samples.
[[nodiscard]] const sample_summary* subject_under_test(const record& r) noexcept;

/// Adds what PyTorch/XLA's benchmarks write into results.jsonl, under their names, so that their readers take these lines: `model` and
/// `experiment`. Suite and test are the model; the axes "model", "device", "dynamo", "test" and "batch" fill the experiment; what perfspec has
/// no counterpart of is null.
void add_xla_identity(json_members& members, const record& r);

/// `repeat`, `iterations_per_run`, `metrics`, `timestamp`, `outputs_file`, `verification_code`, and beside it `accuracy`, its word in PyTorch's benchmarks/dynamo. Times are seconds; the lists are the quantiles
/// of the record's strip, not single samples. An invalid record has `metrics.error`, as a failed run has there.
void add_xla_result(json_members& members, const record& r);

}  // namespace perfspec::detail
