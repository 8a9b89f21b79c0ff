// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

namespace perfspec::detail {

/// Feeds a sequential test until it has decided, has as much evidence as it takes, or no more evidence comes.
///
/// next  called with the number of pieces that the test has. It returns the next piece, or nothing where there is none:
/// the time is over,
///       a process could not be measured, or all readings agree. It returns earlier pieces first.
template <class Test, class Next> void drive(Test& test, Next next) {
    for (std::size_t taken = 0; test.is_open(); ++taken) {
        const auto evidence = next(taken);
        if (!evidence) return;
        test.add(*evidence);
    }
}

}  // namespace perfspec::detail
