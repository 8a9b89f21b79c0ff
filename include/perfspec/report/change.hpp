// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/claim_result.hpp>

#include <optional>
#include <string>

namespace perfspec::inline v0_2 {
namespace detail {

/// The measured value divided by that of its baseline or of the baseline build. Empty without a comparison, or if a
/// value is not above 0.
[[nodiscard]] std::optional<double> ratio_to_baseline(const record& r);

}  // namespace detail

/// The result of a claim in one sentence, without a full stop. Empty without a finite value and a finite bound.
///
///     "2.7x slower than the baseline: 148.0 us, was 54.1 us; at most 1.05x allowed"
///     "ours is 8.5 % slower than std::sort: speedup 0.9214, at least 0.95 needed"
///     "7.1 % above the bound: 3.212 ms, at most 3.000 ms allowed"
[[nodiscard]] std::string change_text(const record& r);

/// The change from the value of the baseline, or of the baseline build: "+8.5 %", "2.7x". Empty if there is none.
[[nodiscard]] std::string change_from_baseline(const record& r);

}  // namespace perfspec::inline v0_2
