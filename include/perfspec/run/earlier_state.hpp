// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/run/evaluation.hpp>

#include <optional>
#include <string>

namespace perfspec::detail {

/// Why a fresh process did not measure what this one would: a fresh process passes over the assertions before its own, and their bodies may have made what
/// a later body works on. Empty where it did.
///
/// Looks only where bodies have run here for earlier assertions of the test case, and compares a call here, the fastest of three, with the median of the
/// process: three times as long, and 10 us longer, is another one.
[[nodiscard]] std::optional<std::string> missing_earlier_state(evaluation& e, const launch_result& launch);

}  // namespace perfspec::detail
