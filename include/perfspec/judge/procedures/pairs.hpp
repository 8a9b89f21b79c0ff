// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/readings.hpp>
#include <perfspec/session/sample_series.hpp>

#include <cstddef>
#include <vector>

namespace perfspec::detail {

/// Describes the samples of the first `count` pairs, and their cost.
void describe_samples(const claim_context& context, claim_result& result, const time_ratio& r, pair_series& series,
                      std::size_t count);

/// Says what compiling costs beside what it saves, where only the second subject of a speedup was compiled.
/// Precondition: the result has its estimate and its subjects.
void describe_compilation(const claim_context& context, claim_result& result, const time_ratio& r);

/// The logarithms of the first `count` pairs' values.
[[nodiscard]] std::vector<double> logs_of(const pair_series& series, std::size_t count, double log_factor);

}  // namespace perfspec::detail
