// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "results.hpp"

#include <optional>

namespace perfspec::tool {

/// Compares the measured values of two runs, key by key. Both files' last result of a key counts; one without a measured value does not.
///
/// The interval of a change is that of the two estimates, ends against ends, so that it is wider than either. worse: exit with `violated` where a
/// whole interval lies more than this fraction on the worse side, with `unusable` where a key of before has nothing to be compared with now, or
/// nothing was compared; nothing: never.
[[nodiscard]] outcome compare(const results& before, const results& after, std::optional<double> worse);

}  // namespace perfspec::tool
