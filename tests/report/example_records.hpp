// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/claim_result.hpp>

namespace perfspec::testing {

/// The failing ratio of a stored baseline.
[[nodiscard]] record stored_ratio();
/// A ratio of two subjects in one run that is violated, and was repeated in a fresh process.
[[nodiscard]] record violated_ratio();
/// A ratio that holds.
[[nodiscard]] record holding_ratio();
/// An absolute time that is too long.
[[nodiscard]] record violated_time();
/// A throughput that could not be decided, with advice.
[[nodiscard]] record undecided_rate();
/// A body that threw.
[[nodiscard]] record error_body();
/// A speedup of a wrong answer.
[[nodiscard]] record error_output();
/// A build that cannot be judged.
[[nodiscard]] record skipped_build();
/// A query without a bound.
[[nodiscard]] record recorded_time();
/// Outputs that agree.
[[nodiscard]] record same_outputs();

/// A record in which no field has its default.
[[nodiscard]] record every_field();

}  // namespace perfspec::testing
