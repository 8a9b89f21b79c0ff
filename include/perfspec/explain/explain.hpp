// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace perfspec::detail {

/// Lets this program answer layers(x), oracle(a, b) and profile(x), and write traces (`trace=DIR`).
/// Only the first call has an effect.
void explain();

}  // namespace perfspec::detail
