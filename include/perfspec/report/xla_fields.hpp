// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/claim_result.hpp>
#include <perfspec/report/json_write.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace perfspec::detail {

/// The value of an axis; nothing where the record does not have it.
[[nodiscard]] std::optional<std::string> axis_of(const record& r, std::string_view name);

/// The subject that a record makes a statement about: the numerator of a ratio that should be small, the denominator of
/// a speedup, the only subject of another query. Null without samples.
[[nodiscard]] const sample_summary* subject_under_test(const record& r) noexcept;

/// Adds `model` and `experiment` as PyTorch/XLA's benchmarks write them into results.jsonl, so readers of that file can
/// read these lines. The suite and the test are the model. The axes "model", "device", "dynamo", "test" and "batch"
/// fill the experiment. A field that perfspec cannot fill is null.
void add_xla_identity(json_members& members, const record& r);

/// Adds `repeat`, `iterations_per_run`, `metrics`, `timestamp`, `outputs_file`, `verification_code`, and `accuracy`,
/// which is the word for the code in PyTorch's benchmarks/dynamo. Times are in seconds. The lists are the quantiles of
/// the record's strip, not single samples. An invalid record has `metrics.error`, like a failed run of theirs.
void add_xla_result(json_members& members, const record& r);

}  // namespace perfspec::detail
