// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/question.hpp>
#include <perfspec/baseline/stored_launch.hpp>
#include <perfspec/report/finding.hpp>

#include <cstddef>
#include <vector>

namespace perfspec::detail {

// A launch is a fresh process that measures one value of the query. All functions throw measurement_failure where a
// launch could not be measured. The kind is `unavailable` where the process reports that nothing can be judged there.

/// The launches that this evaluation has taken so far.
[[nodiscard]] launch_series& launches_of(const question& asked);

/// The next launch of the key: one that the other side of a tolerance took, else a fresh process.
[[nodiscard]] stored_launch take_launch(const question& asked, finding& found);

/// The launch at a place in the series of launches. `take_launch` takes the one after those that the finding counts.
[[nodiscard]] stored_launch take_launch_at(const question& asked, finding& found, std::size_t index);

/// The value of a fresh process that is no evidence. Its cost and its disturbances go into the finding.
[[nodiscard]] double take_launch_aside(const question& asked, finding& found);

/// Takes `count` launches.
[[nodiscard]] std::vector<stored_launch> take_launches(const question& asked, finding& found, std::size_t count);

}  // namespace perfspec::detail
