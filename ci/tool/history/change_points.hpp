// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../program.hpp"
#include "history.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace perfspec::tool {

/// A place in a history where the values changed.
struct change_point {
    std::size_t run{};  ///< the first run with the new values, in history::runs
    double before{};    ///< mean before it, since the change point before
    double after{};     ///< mean from it to the next one
};

/// The change points of each key, and why there are none where Apache Otava could not say.
struct change_points {
    std::vector<std::vector<change_point>> of_keys{};
    std::string note{};
};

/// Finds where the values of keys changed, by Apache Otava, which implements E-Divisive means with a significance test
/// (https://otava.apache.org). It is started as `otava`, once for all keys, and takes about 0.4 s for 100 values of a key.
/// Values of *invalid* results do not count. Keys with fewer than ten values have no change points.
/// Its files are in a temporary folder, which is removed.
///
/// Where Otava is not installed, or fails, there are no change points, and a note says why.
/// Source: Daly et al., "The use of change point detection to identify software performance regressions in a continuous integration system",
/// ICPE 2020.
[[nodiscard]] change_points find_change_points(std::span<const key_history> keys, const tool_surroundings& around);

}  // namespace perfspec::tool
