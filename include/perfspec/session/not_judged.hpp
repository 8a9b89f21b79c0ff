// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/session/build_kind.hpp>
#include <perfspec/session/surroundings.hpp>

#include <string>

namespace perfspec {

/// "optimised", "not optimised", "AddressSanitizer", "ThreadSanitizer", "MemorySanitizer".
[[nodiscard]] const char* to_string(build_kind b) noexcept;

/// "AddressSanitizer", "ThreadSanitizer", "MemorySanitizer", "UndefinedBehaviorSanitizer" or "coverage", where a file of this program is compiled
/// with it, whichever that is: its runtime is linked; else "".
[[nodiscard]] const char* instrumentation_of_program() noexcept;

namespace detail {

/// Why timings of this build, or under this tool, mean nothing; empty when they do.
[[nodiscard]] std::string reason_of_build_or_machine(build_kind build, const surroundings& around);

}  // namespace detail
}  // namespace perfspec
