// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/undecided.hpp>

namespace perfspec::detail {

/// Puts the test's evidence into the finding.
void describe_test(finding& found, const test_progress& test);

/// Turns a sequential test's decision into this stage's verdict. In a parent, a violated claim is then repeated if the
/// test has two stages.
void conclude(const question& asked, finding& found, const test_progress& test, const unit_of_evidence& unit);

/// Notes that the user asked for something other than a verdict. In CI nobody asks for that: there, a switch was left
/// on.
void note_request(const question& asked, finding& found) noexcept;

}  // namespace perfspec::detail
