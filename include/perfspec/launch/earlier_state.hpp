// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/question.hpp>
#include <perfspec/session/sample_series.hpp>

namespace perfspec::detail {

/// Throws measurement_failure where a fresh process did not measure what this one would: it passes over the assertions before its own, and their bodies
/// may have made what a later body works on.
///
/// Looks only where bodies have run here for earlier assertions of the test case, and compares a call here, the fastest of three, with the median of the
/// process: three times as long, and 10 us longer, is another one.
void require_earlier_state(const question& asked, finding& found, const launch_result& launch);

}  // namespace perfspec::detail
