// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/project_file.hpp>
#include <perfspec/report/claim_result.hpp>

namespace perfspec::inline v0_2::detail {

/// The record of a claim with the effect of its waiver, and a note or advice.
///
/// It covers a violated claim, and an undecided one that fails. Neither fails its test while the measured value is
/// within the ceiling and the day of the record is not after the last day. It does not cover claims with errors and
/// outputs that differ. A claim that holds needs no waiver.
[[nodiscard]] record waived(record r, const waiver& w);

}  // namespace perfspec::inline v0_2::detail
