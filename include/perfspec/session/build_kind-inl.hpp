// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/session/build_kind.hpp>
#include <perfspec/session/system_access.hpp>

// Defined only by the runtimes of sanitizers and of --coverage builds; otherwise null. Only their addresses are read.
extern "C" {
[[gnu::weak]] void __asan_init(void);
[[gnu::weak]] void __tsan_init(void);
[[gnu::weak]] void __msan_init(void);
[[gnu::weak]] void __ubsan_handle_type_mismatch_v1(void*, void*);
[[gnu::weak]] void __gcov_init(void*);
[[gnu::weak]] int __llvm_profile_write_file(void);
}

namespace perfspec {

const char* to_string(build_kind b) noexcept {
    switch (b) {
    case build_kind::optimised: return "optimised";
    case build_kind::not_optimised: return "not optimised";
    case build_kind::address_sanitizer: return "AddressSanitizer";
    case build_kind::thread_sanitizer: return "ThreadSanitizer";
    case build_kind::memory_sanitizer: break;
    }
    return "MemorySanitizer";
}

const char* detail::instrumentation_of_program() noexcept {
    if (&__asan_init != nullptr) return "AddressSanitizer";
    if (&__tsan_init != nullptr) return "ThreadSanitizer";
    if (&__msan_init != nullptr) return "MemorySanitizer";
    if (&__ubsan_handle_type_mismatch_v1 != nullptr) return "UndefinedBehaviorSanitizer";
    if (&__gcov_init != nullptr || &__llvm_profile_write_file != nullptr) return "coverage";
    return "";
}

std::string detail::reason_of_build(build_kind build, const system_access& system) {
    if (build == build_kind::not_optimised)
        return "the file that asserts is compiled without optimisation: its times are not those of the product; build with -O2 "
               "(CMAKE_BUILD_TYPE=Release)";
    if (build != build_kind::optimised)
        return std::string("the file that asserts is compiled with ") + to_string(build) +
               ": its times are not those of the product";
    if (const std::string tool = system.instrumented_by(); !tool.empty())
        return "a file of this program is compiled with " + tool + ": its times are not those of the product";
    return {};
}

std::string detail::reason_of_build_or_machine(build_kind build, const system_access& system) {
    if (std::string reason = reason_of_build(build, system); !reason.empty()) return reason;
    if (system.variables.get("LD_PRELOAD").value_or("").find("vgpreload") != std::string::npos)
        return "the program runs under Valgrind";
    if (system.under_debugger()) return "a debugger is attached";
    return {};
}

}  // namespace perfspec
