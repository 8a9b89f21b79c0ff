// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace perfspec {

/// A fresh seed from the operating system. It is below 2^32, so `seed(n)` can repeat it.
[[nodiscard]] std::uint64_t fresh_seed();

}  // namespace perfspec
