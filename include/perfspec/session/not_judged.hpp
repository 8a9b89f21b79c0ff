// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/session/build_kind.hpp>
#include <perfspec/session/system_access.hpp>

#include <string>

namespace perfspec {

/// "optimised", "not optimised", "AddressSanitizer", "ThreadSanitizer", "MemorySanitizer".
[[nodiscard]] const char* to_string(build_kind b) noexcept;

/// The instrumentation of this program: "AddressSanitizer", "ThreadSanitizer", "MemorySanitizer",
/// "UndefinedBehaviorSanitizer" or "coverage". One instrumented file is enough, because then its runtime is linked.
/// Otherwise "".
[[nodiscard]] const char* instrumentation_of_program() noexcept;

namespace detail {

/// Why measurements of this build, or under this tool, mean nothing. Empty if they are meaningful.
[[nodiscard]] std::string reason_of_build_or_machine(build_kind build, const system_access& system);
/// The part of it that also concerns a process that a module lets another program run.
[[nodiscard]] std::string reason_of_build(build_kind build, const system_access& system);

}  // namespace detail
}  // namespace perfspec
