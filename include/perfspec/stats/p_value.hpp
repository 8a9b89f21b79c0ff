// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace perfspec {

/// The bound that an e-value E sets on a p-value: p <= 1 / E, whenever the test stops (Ville's inequality). Evidence of
/// 1 or less says nothing and gives 1. Throws input_error for a logarithm that is not a number.
[[nodiscard]] double p_value_bound(double log_e);

}  // namespace perfspec
