// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/question.hpp>
#include <perfspec/session/sample_series.hpp>

namespace perfspec::detail {

/// Throws measurement_failure where a fresh process did not measure what this process would. The fresh process skips
/// the assertions before its own, and a later body may work on data that their bodies made.
///
/// Checks only where bodies have run here for earlier assertions of the test case. It compares the fastest of three
/// calls here with the median of the launch. A call here is different when it takes more than three times as long, and
/// more than 10 us longer.
void require_earlier_state(const question& asked, finding& found, const launch_result& launch);

}  // namespace perfspec::detail
