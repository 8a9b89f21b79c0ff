// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/run/undecided.hpp>

namespace perfspec::detail {

/// Puts the test's evidence into the record.
void describe_test(evaluation& e, const test_progress& test);

/// A sequential test's decision as this stage's verdict; a claim that is violated in a parent is then repeated.
void conclude(evaluation& e, const test_progress& test, const unit_of_evidence& unit);

/// False, with the verdict invalid, for a bound that every ratio is above or that is no number.
[[nodiscard]] bool is_usable_ratio_bound(evaluation& e, double bound);

}  // namespace perfspec::detail
