// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace perfspec {

/// Whether a debugger or another tracer (strace, rr) is attached to this process now. Under a tracer, no claim is
/// judged. False where the system does not report it.
[[nodiscard]] bool under_debugger();

}  // namespace perfspec
