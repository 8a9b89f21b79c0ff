// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "results.hpp"

namespace perfspec::tool {

/// Puts the values of two machines side by side, key by key: how many times better the second machine is, its interval, and for each metric
/// the geometric mean over the keys that both machines have. In each file the last result of a key with a measured value counts.
///
/// Above 1 the second machine is better: it takes less of what should be small, or reaches more of what should be large. A mean is of one
/// metric in one unit, because a time and a count of allocations have no common mean. Results that are invalid, or have a value that is not
/// above zero, are shown and have no part in it.
///
/// Hardware explains a ratio only where all else is equal. So the text says what else differs: commit, build, variant, options, compiler,
/// flags, libraries, system and the versions of workers. It also says how many keys do not tell their compiler and libraries, and how
/// many claims failed on each machine.
///
/// The code is `holds`, or `unusable` where no key could be compared.
///
/// Throws input_error where the results of a side are of several machines, and where both are of the same one.
[[nodiscard]] outcome compare_across_hardware(const results& a, const results& b);

}  // namespace perfspec::tool
