// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/question.hpp>
#include <perfspec/baseline/stored_launch.hpp>
#include <perfspec/report/finding.hpp>
#include <perfspec/stats/layout.hpp>

#include <cstddef>
#include <vector>

namespace perfspec::detail {

// A launch is a fresh process that measures one value of the query. All throw measurement_failure where one could not be measured: of kind `lacking`
// where the process says that nothing can be judged there.

/// The next launch of the key: one that an earlier claim of the test case took, else a fresh process.
[[nodiscard]] stored_launch take_launch(const question& asked, finding& found);

/// The same for a place in the series of launches; `take_launch` takes the one after those that the finding counts.
[[nodiscard]] stored_launch take_launch_at(const question& asked, finding& found, std::size_t index);

/// The value of a fresh process that no claim shares; the finding is told what it noticed, and what it cost.
[[nodiscard]] double take_launch_aside(const question& asked, finding& found);

/// What layouts do to the query, where the option `layout` asks: launches with one layout besides those with drawn ones, which claims on the key are
/// judged by.
[[nodiscard]] layout_effect effect_of_layouts(const question& asked, finding& found);

/// So many launches.
[[nodiscard]] std::vector<stored_launch> take_launches(const question& asked, finding& found, std::size_t count);

}  // namespace perfspec::detail
