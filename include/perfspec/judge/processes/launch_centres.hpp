// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/claim_result.hpp>
#include <perfspec/stats/interval.hpp>

#include <span>

namespace perfspec::detail {

/// The interval of values that the evidence of launches does not exclude. As few as seven launches can decide a claim,
/// and they exclude nothing at the level of an interval. Then it is the range of the launches at level 0, and the
/// record's method says so.
[[nodiscard]] centre_interval interval_of_launches(claim_result& result, std::span<const double> log_values);
/// The same interval in values, with their median.
[[nodiscard]] estimate estimate_of_launches(claim_result& result, std::span<const double> log_values);

}  // namespace perfspec::detail
