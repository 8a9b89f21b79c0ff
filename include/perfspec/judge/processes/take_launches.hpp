// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/stored_launch.hpp>
#include <perfspec/judge/claim_context.hpp>
#include <perfspec/report/claim_result.hpp>
#include <perfspec/session/sample_series.hpp>

#include <cstddef>
#include <vector>

namespace perfspec::detail {

/// Throws measurement_failure where a fresh process did not measure what this process would. The fresh process skips
/// the assertions before its own, and a later body may work on data that their bodies made.
///
/// Checks only where bodies have run here for earlier assertions of the test case. It compares the fastest of three
/// calls here with the median of the launch. A call here is different when it takes more than three times as long, and
/// more than 10 us longer.
void require_earlier_state(const claim_context& context, claim_result& result, const launch_result& launch);

// A launch is a fresh process that measures one value of the query. All functions throw measurement_failure where a
// launch could not be measured. The kind is `unavailable` where the process reports that nothing can be judged there.

/// The launches that this evaluation has taken so far.
[[nodiscard]] launch_series& launches_of(const claim_context& context);

/// The next launch of the key: one that the other side of a tolerance took, else a fresh process.
[[nodiscard]] stored_launch take_launch(const claim_context& context, claim_result& result);

/// The launch at a place in the series of launches. `take_launch` takes the one after those that the result counts.
[[nodiscard]] stored_launch take_launch_at(const claim_context& context, claim_result& result, std::size_t index);

/// The value of a fresh process that is no evidence. Its cost and its disturbances go into the result.
[[nodiscard]] double take_launch_aside(const claim_context& context, claim_result& result);

/// Takes `count` launches.
[[nodiscard]] std::vector<stored_launch> take_launches(const claim_context& context, claim_result& result,
                                                       std::size_t count);

}  // namespace perfspec::detail
