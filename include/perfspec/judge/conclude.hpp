// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/undecided.hpp>

namespace perfspec::detail {

/// Puts the test's evidence into the finding.
void describe_test(finding& found, const test_progress& test);

/// A sequential test's decision as this stage's verdict; a claim that is violated in a parent is then repeated.
void conclude(const question& asked, finding& found, const test_progress& test, const unit_of_evidence& unit);

/// Notes that something else was asked for than a verdict. In CI nobody asks for that: there it is a switch that was left on.
void note_request(const question& asked, finding& found) noexcept;

}  // namespace perfspec::detail
