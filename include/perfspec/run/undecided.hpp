// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/run/evaluation.hpp>
#include <perfspec/stats/sequential.hpp>

namespace perfspec::detail {

/// Makes the verdict undecided, with what would decide it: more time at the evidence's rate, or a wider bound.
void explain_undecided(evaluation& e, const sequential& test, double seconds_a_unit, const char* unit);

}  // namespace perfspec::detail
