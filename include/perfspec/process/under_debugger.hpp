// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string_view>

namespace perfspec {

/// Whether a debugger or another tracer (strace, rr) is attached to this process now. Under a tracer, no claim is
/// judged. False where the system does not report it.
[[nodiscard]] bool under_debugger();

namespace detail {
/// Whether the text of /proc/<pid>/status names a tracer.
[[nodiscard]] bool names_tracer(std::string_view status) noexcept;
}  // namespace detail

}  // namespace perfspec
