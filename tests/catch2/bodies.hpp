// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../support/work.hpp"

namespace perfspec::testing {

/// Ten times apart, so that no machine is busy enough to mistake one for the other.
inline int fast() { return work(1); }
inline int slow() { return work(10); }

}  // namespace perfspec::testing
