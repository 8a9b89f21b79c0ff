// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/body_result.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace perfspec::testing {

/// About 5 us per unit: far above the clock's resolution, and far below a time slice.
inline int work(int units) {
    // Each step waits for the one before. So the place of the loop in memory does not change its speed, as it does for
    // an empty loop.
    std::uint32_t state = 1;
    for (int i = 0; i < units * 5'000; ++i) state = state * 1'664'525U + 1'013'904'223U;
    do_not_optimize(state);
    return units;
}

/// The first call on some thousands of values takes a thousand times as long as a call on sorted values. No load hides
/// that.
template <class Values> void insertion_sort(Values& values) {
    for (auto next = values.begin(); next != values.end(); ++next)
        for (auto at = next; at != values.begin() && *at < *std::prev(at); --at) std::iter_swap(at, std::prev(at));
}

}  // namespace perfspec::testing
