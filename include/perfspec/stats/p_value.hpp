// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace perfspec {

/// What an e-value says about a p-value: p <= 1 / E, at any time of stopping (Ville's inequality).
/// 1 for evidence of 1 or less, which says nothing. Throws input_error for a logarithm that is not a number.
[[nodiscard]] double p_value_bound(double log_e);

}  // namespace perfspec
