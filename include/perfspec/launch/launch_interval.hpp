// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/finding.hpp>
#include <perfspec/stats/sequential/evidence_interval.hpp>

#include <span>

namespace perfspec::detail {

/// The values that the evidence of launches does not exclude. A claim is decided by as few as seven launches, which exclude nothing at the level
/// of an interval: then their range at level 0, and the record's method says so.
[[nodiscard]] centre_interval interval_of_launches(finding& found, std::span<const double> log_values);
/// The same as values, with their median.
[[nodiscard]] estimate estimate_of_launches(finding& found, std::span<const double> log_values);

}  // namespace perfspec::detail
