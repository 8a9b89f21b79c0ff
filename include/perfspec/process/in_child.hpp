// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace perfspec {

/// Whether perfspec started this process to measure one claim of it again. A child repeats the test case up to that
/// claim. A test can skip expensive assertions there, if the claim does not need their effects:
///
///     if (!perfspec::in_child()) REQUIRE(matches_the_reference(model));
///
/// The answer is the same from before main to the end of the process.
[[nodiscard]] bool in_child();

}  // namespace perfspec
