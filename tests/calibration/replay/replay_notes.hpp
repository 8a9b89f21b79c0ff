// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "replay.hpp"

#include <vector>

namespace perfspec::testing {

/// How often honest code gets a note on its times: `violated` where it does. Each run looks at one process, at a
/// stretch of it whose length is drawn.
///
/// On a trend: 8 to `budget_pairs` samples, of which the last quarter has to be `bound` times the first. With `inject`
/// the times rise, step by step, to so many times what was recorded.
[[nodiscard]] std::vector<run_result> replay_trend(const slot_source& slots, const replay_request& request);

}  // namespace perfspec::testing
