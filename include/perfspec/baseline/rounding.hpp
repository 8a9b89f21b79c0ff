// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/operator_profile.hpp>
#include <perfspec/baseline/stored_launch.hpp>

#include <span>
#include <vector>

namespace perfspec {

/// The fresh launches, with their numbers rounded to the digits that their spread supports. A review then shows only
/// real changes.
///
/// The spread is the MAD of the launch values, stored and fresh ones together. Numbers keep one digit more than the
/// leading digit of the MAD (a MAD of 12.3 us rounds to 1 us), and at least three significant digits. Without a spread
/// (equal counts, one launch), nothing is rounded. Stored launches keep their digits: a rounded number is never rounded
/// again.
[[nodiscard]] std::vector<stored_launch> rounded_launches(std::span<const stored_launch> fresh,
                                                          std::span<const stored_launch> stored);

/// The profile with its times rounded to three significant digits.
[[nodiscard]] operator_profile rounded_profile(operator_profile profile);

}  // namespace perfspec
