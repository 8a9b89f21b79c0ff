// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../support/work.hpp"

namespace perfspec::testing {

/// A factor of ten apart, so that no load hides the difference.
inline int fast() { return work(1); }
inline int slow() { return work(10); }

}  // namespace perfspec::testing
