// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/stored_launch.hpp>

#include <span>
#include <vector>

namespace perfspec {

/// Launches with their numbers rounded to the digits that their spread supports, so that a review shows what changed.
///
/// The spread is the MAD of the launch values, of the stored ones and the fresh ones together. Numbers keep one digit more than its leading
/// one (a MAD of 12.3 us rounds to 1 us), and three significant digits at least. Without a spread (equal counts, one launch)
/// nothing is rounded. Stored launches keep the digits that they have: a rounded number is
/// never rounded again.
[[nodiscard]] std::vector<stored_launch> rounded_launches(std::span<const stored_launch> fresh, std::span<const stored_launch> stored);

}  // namespace perfspec
