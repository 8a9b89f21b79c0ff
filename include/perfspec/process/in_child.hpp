// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace perfspec {

/// Whether perfspec started this process to measure one claim of it again. A child repeats the test case up to that claim, so a test can
/// spare it assertions that are expensive and leave nothing behind that the claim needs:
///
///     if (!perfspec::in_child()) REQUIRE(matches_the_reference(model));
///
/// The same from before main to the end of the process.
[[nodiscard]] bool in_child();

}  // namespace perfspec
