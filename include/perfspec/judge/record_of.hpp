// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/claim_context.hpp>
#include <perfspec/plan/waiver.hpp>
#include <perfspec/report/claim_result.hpp>

#include <optional>

namespace perfspec::detail {

/// The first waiver of the project file with a pattern that is the claim's key.
[[nodiscard]] std::optional<waiver> waiver_for(const claim_context& context);

/// Writes into the record of a claim what its waiver does, with a note or advice for people.
///
/// It covers a violated claim, and an undecided one that fails. Neither fails its test while the measured value is
/// within the ceiling and the day of the record is not after the last day. It does not cover invalid claims and outputs
/// that differ. A claim that holds needs no waiver.
void waive(record& r, const waiver& w);

/// An empty result, with the units and the margin of the claim.
[[nodiscard]] claim_result empty_result(const claim_context& context);

/// Makes the record of an assertion from its claim and its result. Nothing else makes records.
[[nodiscard]] record record_of(const claim_context& context, const claim_result& result);

}  // namespace perfspec::detail
