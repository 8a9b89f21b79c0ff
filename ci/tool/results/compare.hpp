// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "results.hpp"

#include <optional>

namespace perfspec::tool {

/// Compares the measured values of two runs, key by key. In each file the last result of a key with a measured value counts.
///
/// The interval of a change comes from the ends of both estimates, so it is wider than either.
///
/// worse  a fraction. The code is `violated` where a whole interval is more than this on the worse side.
///        It is `unusable` where a key of before has nothing to compare with now, or nothing was compared.
///        Without it, the code is always `holds`.
[[nodiscard]] outcome compare(const results& before, const results& after, std::optional<double> worse);

}  // namespace perfspec::tool
