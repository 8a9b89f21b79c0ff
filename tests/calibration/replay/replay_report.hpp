// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "support/claim_simulation.hpp"

#include <span>
#include <string>

namespace perfspec::testing {

/// What many runs came to, as JSON: {first_stage, confirmed: {violated, holds, undecided} as fractions of the runs;
/// `units` and milliseconds: quantiles of both stages together over all runs, those that hold, those that are violated
/// (confirmed), null for none}.
///
/// units  what the claim counts: pairs, blocks or launches. Of at least one run.
[[nodiscard]] std::string report_of(std::span<const run_result> runs, const std::string& units);

}  // namespace perfspec::testing
